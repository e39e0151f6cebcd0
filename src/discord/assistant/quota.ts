import type { QuestionCounts } from '#src/clients/assistant/conversation-state.ts';
import type { Clock } from '#src/clock.ts';
import type { DiscordSettings } from '#src/config/discord-settings.ts';
import { UserError } from '#src/errors.ts';
import type { Caller } from '#src/discord/caller.ts';
import { waitEnd } from '#src/discord/text/format.ts';

export interface QuotaOptions {
  readonly counts: QuestionCounts;
  readonly settings: Pick<DiscordSettings, 'questions'>;
  readonly clock: Clock;
}

/** The quota of a user, of a server or of all servers is used up. */
export class TooManyQuestions extends UserError {
  /** When the next question is possible; undefined if the quota is zero. */
  readonly freeAtMs: number | undefined;

  constructor(message: string, freeAtMs: number | undefined) {
    super(message);
    this.freeAtMs = freeAtMs;
  }
}

/** Counts a question. Throws {@link TooManyQuestions} if the quota is used up. Operators of the installation have no quota. */
export async function countQuestion(id: string, caller: Caller, { counts, settings, clock }: QuotaOptions): Promise<void> {
  if (caller.may('operate') && !caller.scope) return;
  const question = { id, person: caller.id, server: caller.server?.id, nowMs: clock.nowMs() };
  const full = await counts.count(question, settings.questions);
  if (!full) return;
  const { whose, freeAtMs } = full;
  const { tooMuchByYou, tooMuchHere, tooMuchForAll } = caller.texts.assistant;
  const text = { person: tooMuchByYou, server: tooMuchHere, all: tooMuchForAll }[whose];
  const retryAt = freeAtMs === undefined ? undefined : waitEnd(freeAtMs);
  throw new TooManyQuestions(text(retryAt), freeAtMs);
}
