/** Which of somebody's writes was made with which key; the first one stays. */
export class Keys {
  readonly #ids = new Map<string, string>();

  remember({ ownerId, key, id }: { readonly ownerId: string; readonly key: string | undefined; readonly id: string }): void {
    if (key === undefined) return;
    const place = placeOf(ownerId, key);
    if (!this.#ids.has(place)) this.#ids.set(place, id);
  }

  /** The id of what was made. */
  find(ownerId: string, key: string): string | undefined {
    return this.#ids.get(placeOf(ownerId, key));
  }
}

function placeOf(ownerId: string, key: string): string {
  return `${ownerId} ${key}`;
}
