// Shifts the clock of a process: `node --import ./shifted-clock.mjs`, with the shift in FANFARE_CHAOS_CLOCK_SHIFT_MS. Timers and the
// monotonic clock stay, as on a machine whose clock is wrong.
const shiftMs = Number(process.env.FANFARE_CHAOS_CLOCK_SHIFT_MS ?? 0);
const RealDate = globalThis.Date;

if (shiftMs !== 0) {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [target.now() + shiftMs] : args, newTarget),
    apply: (target) => new target(target.now() + shiftMs).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
  RealDate.prototype.constructor = globalThis.Date;
}

function now() {
  return RealDate.now() + shiftMs;
}
