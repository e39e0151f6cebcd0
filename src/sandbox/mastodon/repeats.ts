type Kind = 'favourite' | 'bookmark' | 'pin' | 'reblog' | 'follow' | 'block' | 'list' | 'vote';

/** Effects that repeated writes had a second time, while the server was told not to deduplicate. They end with the sandbox, as its faults do. */
export class Repeats {
  readonly #counts = new Map<string, number>();

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Undoes one of them; false: there is none. */
  remove(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
    return count > 0;
  }

  /** How many effects there are beside the first, by what they are. */
  all(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}

/** A request of somebody, as far as it matters here. */
interface Request {
  readonly ground: { readonly repeats: Repeats };
  readonly viewer: { readonly id: string };
  readonly fault: (kind: 'duplicateEffects') => object | undefined;
}

/** Sets a state. If the server does not deduplicate, a repeat has its effect once more. */
export function establish(
  { ground, viewer, fault }: Request,
  { kind, target, isSet, set }: { readonly kind: Kind; readonly target: string; readonly isSet: boolean; readonly set: () => void },
): void {
  if (isSet && fault('duplicateEffects')) ground.repeats.add(`${kind} ${viewer.id} ${target}`);
  else set();
}

/** Ends a state; of several effects, one. */
export function end(
  { ground, viewer }: Request,
  { kind, target, unset }: { readonly kind: Kind; readonly target: string; readonly unset: () => void },
): void {
  if (!ground.repeats.remove(`${kind} ${viewer.id} ${target}`)) unset();
}
