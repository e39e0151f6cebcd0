import { expect, test } from 'vitest';
import { PlatformError, UnsupportedOperation, UnsupportedParameter } from '#src/errors.ts';
import { remarkOf, type Support } from '#src/operation/capability.ts';
import type { DeclaredWrite } from '#src/operation/declared.ts';
import { recoverWrite } from '#src/operation/client.ts';
import type { Inconclusive, Recovery } from '#src/operation/platform.ts';
import type { Post } from '#src/social/records/post.ts';
import { SocialAsync, type SocialPlatform } from '#src/social/social.ts';
import type { ManualClock } from '../support/manual-clock.ts';

/** A platform to test an adapter on, and the truth about it. */
export interface SocialGround extends AsyncDisposable {
  readonly platform: SocialPlatform;
  readonly clock: ManualClock;
  /** The signed-in user. */
  readonly handle: string;
  /** Somebody else, who has written posts and some replies, and whom the signed-in user does not follow. */
  readonly other: string;
  /** The texts that the signed-in user wrote and did not delete, oldest first, whatever reads show. */
  standing(): Promise<readonly string[]>;
  /** The next write is made, and its answer lost. */
  loseNextAnswer(): void;
  /** The next write is lost on its way. */
  loseNextRequest(): void;
  /** The platform does not know a write that comes again under its key. */
  readonly knowsNoKeys?: boolean | undefined;
  /** How long a post may stay out of sight. */
  readonly settlesWithinMs?: number | undefined;
  /** What is said of a post that never arrived, where that is not as the knowledge of keys lets expect. */
  readonly absence?: 'absent' | 'cannotTell' | undefined;
  /** The platform does not say what the signed-in user did with posts, and what they have read. */
  readonly hidesViewer?: boolean | undefined;
  /** A topic that the platform knows by this name; without one, `speedrun`. */
  readonly topic?: string | undefined;
  /** An edited post has another id there. */
  readonly editsAreNewPosts?: boolean | undefined;
  /** The sandbox in which the platform is, with `nearServer`. */
  readonly sandbox: { readonly url: string };
  /** The same world, as the sandbox's own platform tells of it. */
  readonly truth?: SocialAsync | undefined;
  /** The platform as somebody else of the world sees it, signed in. */
  as?(user: string): Promise<SocialAsync>;
}

export type OpenSocial = () => Promise<SocialGround>;

export const whole = { pages: 'all', waitTime: 0 } as const;

type Operation = keyof SocialPlatform['capabilities'];

/** What a test needs of a platform: an operation, a parameter of one, or a value of a parameter. */
type Need = Operation | `${Operation}.${string}` | `${Operation}.${string}=${string}`;

/** What a test is given. */
interface Scene {
  readonly ground: SocialGround;
  readonly social: SocialAsync;
  /** Somebody else, signed in; where a ground signs in nobody the test is skipped. */
  readonly as: (user: string) => Promise<SocialAsync>;
}

/** Declares a test of one promise, which needs what is named; where the platform lacks it the test is skipped for the table's reason. */
export type PromiseTest = (promise: string, needs: readonly Need[], body: (scene: Scene) => Promise<void>) => void;

/** How tests on a ground are declared. */
export function onGround(open: OpenSocial): PromiseTest {
  return (promise, needs, body) =>
    test.for([promise])('%s', async (_, { skip }) => {
      expect.hasAssertions();
      await using ground = await open();
      const { capabilities } = ground.platform;
      const refused = needs.flatMap((need) => refusal(need, capabilities))[0];
      if (refused !== undefined) skip(refused);
      try {
        await body({
          ground,
          social: new SocialAsync(ground),
          as: (user) => ground.as?.(user) ?? skip('nobody else signs in on this ground'),
        });
      } catch (error) {
        // What is there on some plans and servers may be refused on this one, which has to say so.
        if (isGate(error) && needs.some((need) => supportsOf(need, capabilities).some(({ support }) => support === 'gated'))) {
          skip(error.message);
        }
        throw error;
      }
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

export function now({ clock }: SocialGround): Date {
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

/** Handles without the server that somebody is on, which not every platform has. */
export function namesOf(users: Iterable<{ readonly handle: string }>): readonly string[] {
  return handlesOf(users).map((handle) => handle.replace(/[@.].*$/, ''));
}

export function falling(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((a, b) => b - a);
}

export function timesOf(posts: Iterable<{ readonly createdAt: Date }>): readonly number[] {
  return Array.from(posts, ({ createdAt }) => createdAt.getTime());
}
