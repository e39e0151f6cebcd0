import { REST } from 'discord.js';
import type { Log } from '#src/log.ts';
import { endQuestion } from './questions.ts';
import { restOptions } from './rest-options.ts';

interface QuestionCloserOptions {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  readonly log: Log;
}

/** Closes questions `channel/message` that no one answered in time. It needs no gateway connection, and never rejects. */
export function createQuestionCloser({ token, apiUrl, log }: QuestionCloserOptions): (message: string) => Promise<void> {
  const rest = new REST(restOptions(apiUrl)).setToken(token);
  return async (message) => {
    try {
      await endQuestion(rest, message);
    } catch (error) {
      log.warn({ error }, 'an unanswered question could not be closed');
    }
  };
}
