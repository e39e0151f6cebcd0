import { Agent, type Dispatcher } from 'undici';

/** Cuts a program off from the world at one of its requests. */
export interface Cutter extends AsyncDisposable {
  readonly dispatcher: Dispatcher;
  /** How many requests were made. */
  readonly count: number;
}

/** Connections that end with the request number `at`: before it is sent, or after its answer and before anyone reads the answer. */
export function cutAt(at: number, when: 'before' | 'after', kill: () => void): Cutter {
  const agent = new Agent();
  let count = 0;
  const dispatcher = agent.compose((dispatch) => (options, handler) => {
    const mine = ++count;
    if (mine > at || (mine === at && when === 'before')) {
      kill();
      return true;
    }
    if (mine < at) return dispatch(options, handler);
    return dispatch(options, {
      onRequestStart: () => undefined,
      onResponseStart: () => undefined,
      onResponseData: () => undefined,
      onResponseEnd: () => kill(),
      onResponseError: () => kill(),
    });
  });
  return {
    dispatcher,
    get count() {
      return count;
    },
    [Symbol.asyncDispose]: () => agent.close(),
  };
}
