// A process that does nothing: what Node itself takes.
setInterval(() => undefined, 1 << 30);
