import { REST } from 'discord.js';
import type { ServerStore } from '#src/admin/servers/server-store.ts';
import type { Log } from '#src/log.ts';
import { logFailedWrite } from './explain-error.ts';
import { endQuestion, type QuestionEnd } from './questions.ts';
import { restOptions } from './rest-options.ts';

interface QuestionCloserOptions {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  readonly storedServers?: Pick<ServerStore, 'find'> | undefined;
  readonly log: Log;
}

/** Closes a question `channel/message`. Never rejects. */
export type CloseQuestion = (message: string, end: QuestionEnd) => Promise<void>;

/** Closes questions whose buttons no one clicked. It needs no gateway connection. */
export function createQuestionCloser({ token, apiUrl, storedServers: stored, log }: QuestionCloserOptions): CloseQuestion {
  const rest = new REST(restOptions(apiUrl)).setToken(token);
  return async (message, end) => {
    try {
      await endQuestion({ rest, stored }, message, end);
    } catch (error) {
      logFailedWrite(log, error, 'a question could not be closed');
    }
  };
}
