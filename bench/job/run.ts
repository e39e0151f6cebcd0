import { fork, type ChildProcess } from 'node:child_process';
import { z } from 'zod';
import { end, memoryOf, messageOf, type Memory } from '../child-process.ts';
import { Listening, Report } from './report.ts';

/** Starts a program that does the job on the platforms of `environment`. */
export type StartProgram = (environment: Readonly<Record<string, string>>) => ChildProcess;

const Message = z.union([z.object({ polls: z.int() }), Report]);

/** What the platforms saw of a program. */
export interface JobRun {
  /** The CPU time of the program at each of its polls. */
  readonly cpuMs: readonly number[];
  /** The queries of the polls without repetition. */
  readonly queries: readonly string[];
  readonly posts: readonly string[];
  /** From each answer with a change to the arrival of its post. */
  readonly latenciesMs: readonly number[];
  readonly memory: Memory;
}

/** Runs a program beside platforms in another process until it has polled `polls` times. */
export async function runJob(start: StartProgram, { polls }: { readonly polls: number }): Promise<JobRun> {
  const server = fork('bench/job/server.ts');
  const { environment } = Listening.parse(await messageOf(server));
  const program = start(environment);
  try {
    if (program.pid === undefined) throw new Error('the program does not start');
    server.send({ watch: program.pid });
    const report = await reportAfter(server, program, polls);
    const answered = report.seen.flatMap(({ answeredMs }) => answeredMs ?? []);
    return {
      cpuMs: report.seen.map(({ cpuMs }) => cpuMs ?? Number.NaN),
      queries: [...new Set(report.seen.map(({ query }) => query))],
      posts: report.posts.map(({ body }) => Post.parse(JSON.parse(body)).params.text),
      latenciesMs: report.posts.map(({ arrivedMs }) => arrivedMs - Math.max(...answered.filter((ms) => ms < arrivedMs))),
      memory: memoryOf(program.pid),
    };
  } finally {
    await end(program);
    server.disconnect();
  }
}

const Post = z.object({ params: z.object({ text: z.string() }) });

async function reportAfter(server: ChildProcess, program: ChildProcess, polls: number): Promise<z.output<typeof Report>> {
  const { promise, resolve, reject } = Promise.withResolvers<z.output<typeof Report>>();
  program.once('exit', (code) => reject(new Error(`a program of the benchmark ended with ${code}`)));
  server.on('message', (received) => {
    const message = Message.parse(received);
    if ('seen' in message) resolve(message);
    else if (message.polls === polls) server.send('report');
  });
  return promise;
}
