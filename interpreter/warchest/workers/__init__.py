"""The workers of commands: this process, others on this machine, or a cluster of many machines."""
