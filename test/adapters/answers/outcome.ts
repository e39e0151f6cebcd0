import { PlatformError } from '#src/errors.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { failureOf } from '#src/engine/delivery/failure.ts';
import { afterFailure } from '#src/engine/delivery/retry.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { badServer, type BadAnswer } from '../bad-input/bad-server.ts';
import { FIXTURES, type Kind } from './fixtures.ts';

/** The outcome of a request: for a write, the next action of its delivery. */
export type Outcome = 'done' | 'repeats' | 'searches' | 'fails';

export interface Answered {
  readonly outcome: Outcome;
  readonly fault: string;
  /** How often a new token was requested. */
  readonly tokens: number;
}

/** A server of a platform that fails from the request under test on, with the same response to each request. */
export async function answering(platform: string) {
  const fixture = FIXTURES[platform];
  if (!fixture) throw new Error(`no platform ${platform}`);
  let answer: BadAnswer = {};
  let target = /^$/;
  let isDown = false;
  let tokens = 0;
  const server = await badServer((line) => {
    isDown ||= target.test(line);
    if (isDown && fixture.isTokenRequest?.test(line)) tokens++;
    return (isDown ? undefined : fixture.before(line)) ?? answer;
  });
  return {
    async ask(kind: Kind, reply: BadAnswer): Promise<Answered | undefined> {
      const { clock, operations, close } = fixture.open(server.url);
      const operation = operations[kind];
      if (!operation) return undefined;
      [answer, target, isDown, tokens] = [reply, operation.target, false, 0];
      try {
        await whileSleeping(clock, operation.call());
        return { outcome: 'done', fault: '', tokens };
      } catch (error) {
        if (!isDown) throw new Error(`${platform}: the request under test was not sent`, { cause: error });
        return { outcome: outcomeOf(error, kind), fault: error instanceof PlatformError ? error.fault : String(error), tokens };
      } finally {
        await close?.();
      }
    },
    close: () => server[Symbol.asyncDispose](),
  };
}

/** The action of a delivery after this error. */
function outcomeOf(error: unknown, kind: Kind): Outcome {
  const delivery: Pick<Delivery, 'attempts' | 'creates'> = { attempts: 1, creates: kind === 'creates' };
  const options = { nowMs: 0, random: () => 0.5, keepsKeys: false, isBilled: false };
  const { state } = afterFailure(failureOf(error), delivery as Delivery, options); // it reads no other field
  return state === 'pending' ? 'repeats' : state === 'sending' ? 'searches' : 'fails';
}
