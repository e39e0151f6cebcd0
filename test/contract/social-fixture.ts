import { expect, test } from 'vitest';
import { PlatformError, UnsupportedOperation, UnsupportedParameter } from '#src/errors.ts';
import { remarkOf, type Support } from '#src/clients/operation/capability.ts';
import type { DeclaredWrite } from '#src/clients/operation/declared.ts';
import { recoverWrite } from '#src/clients/operation/client.ts';
import type { Inconclusive, Recovery } from '#src/clients/operation/platform.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { SocialAsync, type SocialPlatform } from '#src/clients/social/social.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { withRecordedRequests } from './recorded-requests.ts';

/** A platform to test an adapter on, and the truth about it. */
export interface SocialFixture extends AsyncDisposable {
  readonly platform: SocialPlatform;
  readonly clock: ManualClock;
  /** The signed-in user. */
  readonly handle: string;
  /** Another user with posts and some replies, whom the signed-in user does not follow. */
  readonly other: string;
  /** The texts of the existing posts of the signed-in user, oldest first, even if reads do not show them yet. */
  postTexts(): Promise<readonly string[]>;
  /** Loses the response to the next write. */
  loseNextAnswer(): void;
  /** Loses the next write. */
  loseNextRequest(): void;
  /** Whether the platform ignores idempotency keys. */
  readonly knowsNoKeys?: boolean | undefined;
  /** The longest time until reads show a new post. */
  readonly settlesWithinMs?: number | undefined;
  /** The outcome for a lost write, if it does not follow from the support of keys. */
  readonly absence?: 'absent' | 'cannotTell' | undefined;
  /** Whether the platform omits the reactions of the signed-in user and the read state. */
  readonly hidesViewer?: boolean | undefined;
  /** The name of a topic; default `speedrun`. */
  readonly topic?: string | undefined;
  /** Whether an edited post gets another id. */
  readonly editsAreNewPosts?: boolean | undefined;
  /** The fields that the record of a new post lacks until it is read. */
  readonly absentFromWrites?: readonly (keyof Post)[] | undefined;
  /** The sandbox in which the platform is, with `nearServer`. */
  readonly sandbox: { readonly url: string };
  /** The same world on the social platform of the sandbox. */
  readonly truth?: SocialAsync | undefined;
  /** The client of another user. */
  as?(user: string): Promise<SocialAsync>;
}

/** Matches the record of a new post when it is read. */
export function asRead(post: Post, { absentFromWrites = [] }: Pick<SocialFixture, 'absentFromWrites'>): unknown {
  if (absentFromWrites.length === 0) return post;
  const absent = new Set<string>(absentFromWrites);
  return expect.objectContaining(Object.fromEntries(Object.entries(post).filter(([name]) => !absent.has(name))));
}

export type OpenSocial = () => Promise<SocialFixture>;

export const whole = { pages: 'all', waitTime: 0 } as const;

type Operation = keyof SocialPlatform['capabilities'];

/** A requirement of a test: an operation, a parameter, or a value of a parameter. */
type Need = Operation | `${Operation}.${string}` | `${Operation}.${string}=${string}`;

/** The parameters of a test. */
interface Scene {
  readonly fixture: SocialFixture;
  readonly social: SocialAsync;
  /** The client of another user. Without other users, the test is skipped. */
  readonly as: (user: string) => Promise<SocialAsync>;
}

/** Declares a test of one promise. If the platform lacks a requirement, the test is skipped with the reason of the capability. */
export type PromiseTest = (promise: string, needs: readonly Need[], body: (scene: Scene) => Promise<void>) => void;

/** Creates the function that declares tests on a platform. */
export function onFixture(open: OpenSocial): PromiseTest {
  return (promise, needs, body) =>
    test.for([promise])('%s', async (_, { skip }) => {
      expect.hasAssertions();
      await using fixture = await open();
      const { capabilities } = fixture.platform;
      const refused = needs.flatMap((need) => refusal(need, capabilities))[0];
      if (refused !== undefined) skip(refused);
      const { adapter: platform, unlisted } = withRecordedRequests(fixture.platform);
      try {
        await body({
          fixture,
          social: new SocialAsync({ ...fixture, platform }),
          as: (user) => fixture.as?.(user) ?? skip('nobody else signs in on this fixture'),
        });
      } catch (error) {
        // A gated operation can be refused here, with a reason.
        if (isGate(error) && needs.some((need) => supportsOf(need, capabilities).some(({ support }) => support === 'gated'))) {
          skip(error.message);
        }
        throw error;
      }
      expect(unlisted(), 'requests that the table of capabilities does not name').toEqual([]);
    });
}

function refusal(need: Need, capabilities: SocialPlatform['capabilities']): readonly string[] {
  const lacks = supportsOf(need, capabilities).find(({ support }) => support === 'unsupported');
  return lacks ? [`${need}: ${remarkOf(lacks)}`] : [];
}

function supportsOf(need: Need, capabilities: SocialPlatform['capabilities']): readonly Support[] {
  const [, operation = '', parameter = '', value = ''] = /^(\w+)(?:\.(\w+)(?:=(.+))?)?$/.exec(need) ?? [];
  const capability = capabilities[operation as Operation]; // the type of a need begins with one
  const ofParameter = capability.parameters?.[parameter];
  return [capability, ofParameter, ofParameter?.values?.[value]].filter((support) => support !== undefined);
}

function isGate(error: unknown): error is UnsupportedOperation | UnsupportedParameter {
  const isUnsupported = error instanceof UnsupportedOperation || error instanceof UnsupportedParameter;
  return isUnsupported && ['TIER_REQUIRED', 'SERVER_DISABLED'].includes(error.reason);
}

export function now({ clock }: SocialFixture): Date {
  return new Date(clock.nowMs());
}

export async function newest(social: SocialAsync, user: string): Promise<Post> {
  const [post] = await social.getPosts(user);
  if (!post) throw new Error(`${user} wrote nothing`);
  return post;
}

export async function faultOf(write: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await write.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof PlatformError ? error.fault : undefined;
}

export function recover(
  social: SocialAsync,
  declared: DeclaredWrite,
  params: object,
  {
    key,
    since,
    lostAt,
    taken = new Set(),
  }: { readonly key: string; readonly since: Date; readonly lostAt?: Date; readonly taken?: ReadonlySet<string> },
): Promise<Recovery<unknown> | Inconclusive> {
  return recoverWrite(social, declared, params, { key, since, lostAt, taken });
}

export function idsOf(items: Iterable<{ readonly id: string }>): readonly string[] {
  return Array.from(items, ({ id }) => id);
}

export function handlesOf(users: Iterable<{ readonly handle: string }>): readonly string[] {
  return Array.from(users, ({ handle }) => handle);
}

/** Handles without the domain, which only some platforms have. */
export function namesOf(users: Iterable<{ readonly handle: string }>): readonly string[] {
  return handlesOf(users).map((handle) => handle.replace(/[@.].*$/, ''));
}

export function falling(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((a, b) => b - a);
}

export function timesOf(posts: Iterable<{ readonly createdAt: Date }>): readonly number[] {
  return Array.from(posts, ({ createdAt }) => createdAt.getTime());
}
