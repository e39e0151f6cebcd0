interface Answer {
  readonly status: number;
  arrayBuffer(): Promise<unknown>;
}

/**
 * Reads the body of an answer that discord.js does not read: a redirect, a rate limit or a failure of the server.
 *
 * If the connection breaks during an unread body, undici throws an error outside every promise, which ends the process.
 */
export async function withUnreadBody<T extends Answer>(answer: T): Promise<T> {
  const { status } = answer;
  if ((status >= 300 && status < 400) || status === 429 || status >= 500) await answer.arrayBuffer().catch(() => undefined);
  return answer;
}
