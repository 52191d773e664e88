"""Line scripts: positions and plays in short lines, which a game's notation explains in the words of its documents."""
