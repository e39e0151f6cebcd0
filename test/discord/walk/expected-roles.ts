/** A role that the start of a stream gave. */
export interface GivenRole {
  readonly member: string;
  readonly role: string;
}

/** The live roles of the members of a server by the words of the pages about them. It shares no code with the product. */
export class ExpectedRoles {
  /** The streams that keep a role with a member. */
  readonly #streamers = new Map<string, GivenRole>();
  /** Whether members have roles. `maybe`: Fanfare could not take it. */
  readonly #held = new Map<string, true | 'maybe'>();

  /** Gives a role for a stream, or by hand. */
  give(streamer: string | undefined, given: GivenRole | undefined): void {
    if (!given) return;
    if (streamer !== undefined) this.#streamers.set(streamer, given);
    this.#held.set(keyOf(given), true);
  }

  /** The end of a stream takes its role, unless another stream of the member gave it. */
  take(streamer: string, given: GivenRole | undefined, { hasBot }: { readonly hasBot: boolean }): void {
    this.#streamers.delete(streamer);
    if (!given || this.#streamers.values().some((one) => keyOf(one) === keyOf(given))) return;
    if (hasBot) this.#held.delete(keyOf(given));
    else if (this.#held.has(keyOf(given))) this.#held.set(keyOf(given), 'maybe');
  }

  has(member: string, role: string): boolean | 'maybe' {
    return this.#held.get(keyOf({ member, role })) ?? false;
  }
}

function keyOf({ member, role }: GivenRole): string {
  return `${member}/${role}`;
}
