import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isLoopback } from '../local-only.ts';

const MOST_CHARACTERS = 100_000;

/** Whether the sandbox may send to a receiver. It sends only to this machine, so it also accepts `http` and every port. */
export function isAllowedReceiver(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && /^https?:$/u.test(url.protocol) && isLoopback(url.hostname);
}

/** The answer of a receiver. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Sent {
  readonly method?: 'GET' | 'POST' | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
}

/** Undefined without an answer. Node's client is used because discord.js cannot send files if undici replaces the global fetch. */
export async function sendTo(address: string, { method = 'POST', headers, body, signal }: Sent): Promise<Answer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
  const send = address.startsWith('https:') ? httpsRequest : httpRequest;
  // Certificates of receivers on this machine are self-signed.
  const request = send(address, { method, headers, signal, rejectUnauthorized: false, agent: false });
  request.on('error', () => resolve(undefined));
  request.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => {
      text = (text + part).slice(0, MOST_CHARACTERS);
    });
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    response.on('close', () => resolve(undefined));
  });
  request.end(body);
  return promise;
}

/** Whether a receiver accepted a request. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
