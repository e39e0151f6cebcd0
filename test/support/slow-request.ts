import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';

export interface SlowRequestOptions {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A request whose head the server has received. `end` sends the body, and resolves with the status of the response. */
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

/** Sends the head of a request, and then a byte of its body every 10 ms until the server closes the connection; resolves with its response. */
export async function trickle(url: string): Promise<string> {
  const { hostname, port, pathname, host } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`);
  let response = '';
  socket.on('data', (piece: string) => (response += piece));
  // A byte that is written after the server closed the connection is an error, which `once` would throw.
  socket.on('error', () => undefined);
  const drops = setInterval(() => socket.writable && socket.write('x'), 10);
  await new Promise((resolve) => socket.on('close', resolve));
  clearInterval(drops);
  return response;
}
