import { ROUTES, type Operations } from '../client/operations.ts';

/** How long a repeat of a request without an answer gets the same key. Later, the person means a new action. */
const KEPT_MS = 60_000;

/** A request that the page sent. */
interface SentRequest {
  readonly operation: keyof Operations;
  readonly input: object;
}

/** The keys of requests without an answer. A repeat with the same key is not done twice. */
export interface UnansweredKeys {
  /** The key for a request: that of the same request without an answer, or a new one. */
  keyFor(request: SentRequest): string;
  /** Keeps the key of a request that may be done. `onForgotten` is called when a repeat is a new action. */
  keep(request: SentRequest, key: string, onForgotten: () => void): void;
  /** Forgets the key of a request that was refused. */
  refused(request: SentRequest): void;
  /** Forgets the keys of the requests on the same target: after another action on it, the same request is a new action. */
  done(request: SentRequest): void;
}

export function createUnansweredKeys(newKey: () => string): UnansweredKeys {
  const kept = new Map<string, { readonly key: string; readonly target: string; readonly forgotten: () => void }>();

  function forget(name: string): void {
    const forgotten = kept.get(name)?.forgotten;
    kept.delete(name);
    forgotten?.();
  }

  return {
    keyFor: (request) => kept.get(nameOf(request))?.key ?? newKey(),
    keep(request, key, onForgotten) {
      const name = nameOf(request);
      forget(name);
      const end = setTimeout(() => forget(name), KEPT_MS);
      const forgotten = (): void => (clearTimeout(end), onForgotten());
      kept.set(name, { key, target: targetOf(request), forgotten });
    },
    refused: (request) => forget(nameOf(request)),
    done(request) {
      const target = targetOf(request);
      for (const [name, one] of kept) if (one.target === target) forget(name);
    },
  };
}

function nameOf({ operation, input }: SentRequest): string {
  return `${operation} ${JSON.stringify(input)}`;
}

/** What a request changes: a rule, a delivery, an account, a person, the lists or a part of the sandbox. */
function targetOf({ operation, input }: SentRequest): string {
  const [, path] = ROUTES[operation];
  const [, , kind = '', part = ''] = path.split('/');
  // The undo of a change of a list does not name the list.
  if (kind === 'lists' || kind === 'list-changes') return 'lists';
  // An instance of a rule is paused with its rule: `games/chess` belongs to `games`.
  const [target = ''] = part.replace(/^\{(\w+)\}$/u, (_, field: string) => String(Reflect.get(input, field))).split('/');
  return `${kind}/${target}`;
}
