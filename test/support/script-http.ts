import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** How a scripted server answers. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  /** The answer waits for this. */
  readonly after?: Promise<unknown>;
  /** `before`: drops the connection before the response; `within`: drops it in the middle of the body; `never`: does not respond. */
  readonly fail?: 'before' | 'within' | 'never';
}

/** A request as it must come, for example `GET /streams?first=100`, and the answer to it. */
export type Exchange = readonly [expected: string, reply: Reply];

/** An exchange, or several in any order. Requests that come `together` are answered when all have come, so no later request overtakes them. */
export type Step = Exchange | { readonly together: readonly Exchange[] } | { readonly anyOrder: readonly Exchange[] };

interface SeenRequest {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The other end of its connection. */
  readonly port: number | undefined;
}

export interface ScriptedHttp extends AsyncDisposable {
  readonly url: string;
  /** All requests, in order. */
  readonly seen: readonly SeenRequest[];
  /** How many connections are open. */
  connections(): number;
  /** Resolves when `count` requests have come. */
  arrived(count: number): Promise<void>;
}

/** A server for exactly these exchanges in this order. `lineOf` makes the compared line of a request. Disposal throws if an exchange is missing or unexpected. */
export async function scriptHttp(
  steps: readonly Step[],
  { lineOf = (line) => line }: { readonly lineOf?: (line: string) => string } = {},
): Promise<ScriptedHttp> {
  const open = steps.map(openStep);
  const seen: SeenRequest[] = [];
  const problems: string[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  function take(line: string): Reply {
    const [step] = open;
    const exchange = step?.left.find(([expected]) => expected === line);
    if (!step || !exchange) {
      problems.push(`came: ${line}\n  expected: ${step?.left.map(([expected]) => expected).join('\n        or: ') ?? 'nothing more'}`);
      // The test must end to report it.
      step?.came.resolve();
      return { status: 400, text: 'not in the script' };
    }
    step.left.splice(step.left.indexOf(exchange), 1);
    if (step.left.length === 0) {
      open.shift();
      step.came.resolve();
    }
    const [, reply] = exchange;
    return step.isTogether ? { ...reply, after: Promise.all([step.came.promise, reply.after]) } : reply;
  }

  const server = createServer((request, response) => {
    void (async () => {
      const line = `${request.method} ${request.url}`;
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer); // chunks of a request without an encoding are buffers
      seen.push({ line, headers: request.headers, body: Buffer.concat(chunks).toString(), port: request.socket.remotePort });
      for (const waiter of waiting.filter(({ count }) => seen.length >= count)) waiter.resolve();
      const reply = take(lineOf(line));
      await reply.after;
      answer(response, reply);
    })();
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    seen,
    connections: () => sockets.size,
    arrived: (count) =>
      new Promise((resolve) => {
        if (seen.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      problems.push(...open.flatMap(({ left }) => left).map(([expected]) => `never came: ${expected}`));
      if (problems.length > 0) throw new Error(`The script was not followed.\n${problems.join('\n')}`);
    },
  };
}

/** A step whose exchanges have not come. */
function openStep(step: Step) {
  const isTogether = 'together' in step;
  const left = isTogether ? step.together : 'anyOrder' in step ? step.anyOrder : [step];
  return { isTogether, left: [...left], came: Promise.withResolvers<void>() };
}

function answer(response: ServerResponse, { status = 200, headers = {}, json, text, fail }: Reply): void {
  // The clock of a test has another time.
  response.sendDate = false;
  if (fail === 'never') return;
  if (fail === 'before') {
    response.socket?.destroy();
    return;
  }
  const body = json === undefined ? (text ?? '') : JSON.stringify(json);
  response.writeHead(status, { 'content-type': json === undefined ? 'text/html' : 'application/json', ...headers });
  if (fail === 'within') response.write(body, () => response.socket?.destroy());
  else response.end(body);
}
