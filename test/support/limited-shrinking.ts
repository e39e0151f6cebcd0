import fc, { type Plugin } from 'fast-check';

interface Options {
  readonly limitMs: number;
  /** The time since a fixed instant. */
  readonly nowMs?: () => number;
}

/**
 * Ends the search for a smaller counterexample some time after the first failure, and reports the smallest one so far. The runs before a
 * failure have no limit. With slow runs or long texts, the search would otherwise take longer than a test may take.
 */
export function limitShrinking({ limitMs, nowMs = () => performance.now() }: Options): Plugin<unknown> {
  return () => {
    let failedAtMs: number | undefined;
    const noteFailure = (result: object | null): void => {
      if (result !== null && !fc.PreconditionFailure.isFailure(result)) failedAtMs ??= nowMs();
    };
    return {
      decorateRun: (run) => (value) => {
        // This result ends all runs of the property.
        if (failedAtMs !== undefined && nowMs() - failedAtMs >= limitMs) return new fc.PreconditionFailure(true);
        const result = run(value);
        if (result instanceof Promise) void result.then(noteFailure);
        else noteFailure(result);
        return result;
      },
    };
  };
}
