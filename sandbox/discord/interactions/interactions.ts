import type { Clock } from '#src/clock.ts';
import { refusals } from '../refusal.ts';
import type { Snowflakes } from '../snowflake.ts';
import { Interaction, type InteractionOptions } from './interaction.ts';

const TOKEN_LIFE_MS = 15 * 60_000;

/** The interactions of the last 15 minutes. */
export class Interactions {
  readonly #clock: Clock;
  readonly #ids: Snowflakes;
  readonly #answerMs: number;
  readonly #byId = new Map<string, Interaction>();
  readonly #closing = new AbortController();

  constructor({ clock, ids, answerMs }: { readonly clock: Clock; readonly ids: Snowflakes; readonly answerMs: number }) {
    this.#clock = clock;
    this.#ids = ids;
    this.#answerMs = answerMs;
  }

  open(options: InteractionOptions): Interaction {
    for (const interaction of this.#byId.values()) if (this.#isOver(interaction)) this.#byId.delete(interaction.id);

    const interaction = new Interaction(this.#ids.next(), this.#clock.nowMs(), options);
    this.#byId.set(interaction.id, interaction);
    return interaction;
  }

  find(id: string): Interaction | undefined {
    return this.#byId.get(id);
  }

  /** The interaction that still waits for its first answer. */
  findWaiting(id: string, token: string): Interaction {
    const interaction = this.#byId.get(id);
    if (interaction?.token !== token) throw refusals.unknownInteraction();
    if (interaction.answer) throw refusals.alreadyAcknowledged();
    if (this.#ageMs(interaction) > this.#answerMs) throw refusals.unknownInteraction();
    return interaction;
  }

  /** The answered interaction whose webhook is used. */
  findAnswered(token: string): Interaction {
    const interaction = [...this.#byId.values()].find((each) => each.token === token);
    if (!interaction?.answer) throw refusals.unknownWebhook();
    if (this.#isOver(interaction)) throw refusals.invalidToken();
    return interaction;
  }

  /** Waits for the first answer as long as Discord does, and then for its completion no longer than `completeMs`. */
  async settle(interaction: Interaction, completeMs: number): Promise<void> {
    await this.#within(this.#answerMs, interaction.answered);
    if (interaction.answer && completeMs > 0) await this.#within(completeMs, interaction.completed);
  }

  close(): void {
    this.#closing.abort();
  }

  #ageMs({ openedAtMs }: Interaction): number {
    return this.#clock.nowMs() - openedAtMs;
  }

  #isOver(interaction: Interaction): boolean {
    return this.#ageMs(interaction) > TOKEN_LIFE_MS;
  }

  async #within(ms: number, promise: Promise<void>): Promise<void> {
    const done = new AbortController();
    const signal = AbortSignal.any([done.signal, this.#closing.signal]);
    try {
      await Promise.race([promise, this.#clock.sleep(ms, signal)]);
    } finally {
      done.abort();
    }
  }
}
