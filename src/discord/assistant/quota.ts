import type { DiscordSettings } from '#src/config/discord-settings.ts';
import { UserError } from '#src/errors.ts';
import type { QuestionCounts } from '#src/store/question-counts.ts';
import type { Clock } from '#src/clock.ts';
import type { Asker } from '../asker.ts';

export interface QuotaOptions {
  readonly counts: QuestionCounts;
  readonly settings: Pick<DiscordSettings, 'questions'>;
  readonly clock: Clock;
}

/** A question has to wait; the message is for who asked. */
export class TooManyQuestions extends UserError {
  /** When the next one is possible; undefined: nobody knows. */
  readonly freeAtMs: number | undefined;

  constructor(message: string, freeAtMs: number | undefined) {
    super(message);
    this.freeAtMs = freeAtMs;
  }
}

/** Counts a question; a {@link TooManyQuestions} where there is no room for it. Those who run the bot are not counted. */
export async function countQuestion(id: string, asker: Asker, { counts, settings, clock }: QuotaOptions): Promise<void> {
  if (asker.may('operate')) return;
  const question = { id, person: asker.id, server: asker.server?.id, nowMs: clock.nowMs() };
  const full = await counts.count(question, settings.questions);
  if (!full) return;
  const { whose, freeAtMs } = full;
  const { tooMuchByYou, tooMuchHere } = asker.words.assistant;
  const again = freeAtMs === undefined ? undefined : `<t:${Math.ceil(freeAtMs / 1000)}:R>`;
  throw new TooManyQuestions(whose === 'person' ? tooMuchByYou(again) : tooMuchHere(again), freeAtMs);
}
