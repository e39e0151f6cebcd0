/** The effects of repeated writes that the server did not deduplicate, by the write. They end with the sandbox, as faults do. */
export class Duplicates {
  readonly #counts = new Map<string, number>();

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Removes one effect; false if there is none. */
  remove(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
    return count > 0;
  }

  /** How many effects each write has beside the first one. */
  all(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}

interface Writer {
  readonly state: { readonly duplicates: Duplicates };
  readonly viewer: { readonly id: string };
  readonly fault: (kind: 'duplicateEffects') => object | undefined;
}

interface StateWrite {
  readonly kind: 'favourite' | 'bookmark' | 'pin' | 'reblog' | 'follow' | 'block' | 'list' | 'vote';
  readonly target: string;
}

/** Sets a state. Under the fault `duplicateEffects`, a repeat has its effect once more. */
export function establish(
  { state, viewer, fault }: Writer,
  { kind, target, isSet, set }: StateWrite & { readonly isSet: boolean; readonly set: () => void },
): void {
  if (isSet && fault('duplicateEffects')) state.duplicates.add(`${kind} ${viewer.id} ${target}`);
  else set();
}

/** Ends a state, or one of its duplicate effects. */
export function end({ state, viewer }: Writer, { kind, target, unset }: StateWrite & { readonly unset: () => void }): void {
  if (!state.duplicates.remove(`${kind} ${viewer.id} ${target}`)) unset();
}
