"""Those who do the work of commands: this process, others on this machine, or a cluster of many machines."""
