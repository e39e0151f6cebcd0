import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

export interface SlowRequestOptions {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A request that the server has begun to work on, and whose body is yet to come; `end` sends it, and gives the status of the answer. */
export async function slowRequest(url: string, { method, headers = {} }: SlowRequestOptions) {
  const sending = request(url, { method, headers: { ...headers, expect: '100-continue' } });
  sending.flushHeaders();
  await once(sending, 'continue');

  return {
    async end(body: unknown): Promise<number | undefined> {
      const answered = once(sending, 'response');
      sending.end(JSON.stringify(body));
      const [answer]: IncomingMessage[] = await answered;
      answer?.resume();
      return answer?.statusCode;
    },
  };
}
