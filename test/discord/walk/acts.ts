import { fc } from '../../support/property.ts';

/** What a member does with the followed streamers of a server. Numbers choose one of the things that exist. */
export type MemberAct = { readonly server: number; readonly person: number } & (
  | {
      readonly kind: 'follow';
      readonly streamer: number;
      readonly channel: number | undefined;
      readonly ping: boolean;
      /** The member who streams. */
      readonly member: number | undefined;
    }
  | { readonly kind: 'remove' | 'pause' | 'resume'; readonly streamer: number }
  | {
      readonly kind: 'edit';
      readonly streamer: number;
      readonly change: {
        readonly channel?: number | null;
        readonly ping?: boolean;
        readonly message?: string;
        readonly deleteAfter?: boolean;
      };
    }
  | { readonly kind: 'name'; readonly streamer: number; readonly member: number | undefined }
  | { readonly kind: 'liveRole'; readonly role: number | undefined }
  | { readonly kind: 'off' | 'on' }
  | { readonly kind: 'setUp'; readonly channel: number }
  | { readonly kind: 'undo'; readonly number: number }
);

/** The acts of a walk. */
export type Act =
  | MemberAct
  | { readonly kind: 'atOnce'; readonly acts: readonly [MemberAct, MemberAct] }
  | { readonly kind: 'start' | 'end' | 'retitle' | 'rename'; readonly streamer: number }
  | { readonly kind: 'pass'; readonly minutes: number }
  | { readonly kind: 'deleteChannel' | 'forbid' | 'allow'; readonly server: number; readonly channel: number }
  | { readonly kind: 'deleteCard'; readonly server: number; readonly number: number }
  | { readonly kind: 'kick' | 'invite'; readonly server: number }
  | { readonly kind: 'foreignUndo'; readonly server: number; readonly person: number; readonly number: number }
  | { readonly kind: 'fail'; readonly fault: 'resetBefore' | 'resetAfter' | 'status'; readonly times: number }
  /** A member presses the button of an answer that announces a running stream. */
  | { readonly kind: 'announce'; readonly server: number; readonly number: number }
  | { readonly kind: 'restart' }
  /** An administrator gives a member a live role. */
  | { readonly kind: 'give'; readonly server: number; readonly member: number; readonly role: number }
  /** The platform does not list a stream for some minutes. */
  | { readonly kind: 'hide'; readonly streamer: number; readonly minutes: number }
  /** A member follows a streamer during a stream, and has it announced before or after a poll. */
  | { readonly kind: 'late'; readonly server: number; readonly person: number; readonly streamer: number; readonly isSeen: boolean }
  /** A member removes a streamer during a stream, and takes it back after a poll. */
  | { readonly kind: 'regret'; readonly server: number; readonly person: number; readonly streamer: number };

/** The acts of a story. */
export function partsOf(story: Extract<Act, { readonly kind: 'late' | 'regret' }>): readonly Act[] {
  const { server, person, streamer } = story;
  const by = { server, person, streamer };
  const minute: Act = { kind: 'pass', minutes: 1 };
  if (story.kind === 'regret')
    return [{ kind: 'start', streamer }, minute, { kind: 'remove', ...by }, minute, { kind: 'undo', server, person, number: 0 }, minute];
  const seen = story.isSeen ? [minute] : [];
  const follow: Act = { kind: 'follow', ...by, channel: undefined, ping: false, member: 0 };
  const announce: Act = { kind: 'announce', server, number: 0 };
  // Under a new name, an entry is a new one: a stream that no poll has seen is then another stream.
  return [minute, { kind: 'remove', ...by }, { kind: 'start', streamer }, ...seen, follow, ...seen, announce];
}

const server = fc.constantFrom(0, 0, 1);
const person = fc.nat(1);
const streamer = fc.constantFrom(0, 0, 1);
const channel = fc.nat(2);
const number = fc.nat(9);
const member = fc.nat(1);
const role = fc.nat(1);

function kind<K extends Act['kind']>(...all: readonly K[]): fc.Arbitrary<K> {
  return fc.constantFrom(...all);
}

const by = { server, person };
const follow = fc.record({
  kind: kind('follow'),
  ...by,
  streamer,
  channel: fc.option(channel, { nil: undefined }),
  ping: fc.boolean(),
  member: fc.option(member, { nil: undefined }),
});
const undo = fc.record({ kind: kind('undo'), ...by, number: fc.nat(3) });

const memberActs: readonly fc.Arbitrary<MemberAct>[] = [
  follow,
  undo,
  fc.record({ kind: kind('remove', 'pause', 'resume'), ...by, streamer }),
  fc.record({
    kind: kind('edit'),
    ...by,
    streamer,
    change: fc.oneof(
      fc.record({ channel: fc.option(channel, { nil: null }) }),
      fc.record({ ping: fc.boolean() }),
      fc.record({ message: fc.constantFrom('', 'Now: {name}') }),
      fc.record({ deleteAfter: fc.boolean() }),
    ),
  }),
  fc.record({ kind: kind('off', 'on'), ...by }),
  fc.record({ kind: kind('setUp'), ...by, channel }),
  fc.record({ kind: kind('name'), ...by, streamer, member: fc.option(member, { nil: undefined }) }),
  // Only the owner may give all roles.
  fc.record({ kind: kind('liveRole'), server, person: fc.constant(0), role: fc.option(role, { nil: undefined }) }),
];

const atOnce = fc.record({
  kind: kind('atOnce'),
  acts: fc.tuple(fc.oneof(...memberActs), fc.oneof(...memberActs)).map(([a, b]) => [a, { ...b, server: a.server }] as const),
});

const always: readonly fc.Arbitrary<Act>[] = [
  fc.record({ kind: kind('pass'), minutes: fc.constantFrom(1, 1, 2, 5, 17) }),
  fc.record({ kind: kind('start'), streamer }),
  follow,
];

const sometimes: readonly fc.Arbitrary<Act>[] = [
  ...memberActs,
  fc.record({ kind: kind('end', 'retitle'), streamer }),
  fc.record({ kind: kind('rename'), streamer }),
  fc.record({ kind: kind('deleteChannel', 'forbid', 'allow'), server, channel }),
  fc.record({ kind: kind('deleteCard'), server, number }),
  fc.record({ kind: kind('kick', 'invite'), server }),
  fc.record({ kind: kind('foreignUndo'), ...by, number }),
  fc.record({ kind: kind('restart') }),
  fc.record({ kind: kind('announce'), server, number: fc.nat(2) }),
  fc.record({ kind: kind('give'), server, member, role }),
  fc.record({ kind: kind('hide'), streamer, minutes: fc.constantFrom(1, 17) }),
  fc.record({ kind: kind('fail'), fault: fc.constantFrom('resetBefore', 'resetAfter', 'status'), times: fc.constantFrom(1, 2) }),
  fc.record({ kind: kind('late'), ...by, streamer, isSeen: fc.boolean() }),
  fc.record({ kind: kind('regret'), ...by, streamer }),
  fc.record({ kind: kind('regret'), ...by, streamer }),
  atOnce,
  atOnce,
];

/** Each walk begins in servers that follow streamers. */
const BEGINNING: readonly Act[] = [
  ...[0, 1].map((server) => ({ kind: 'setUp' as const, server, person: 0, channel: 0 })),
  ...[0, 1].map((server) => ({ kind: 'liveRole' as const, server, person: 0, role: 0 })),
  ...[0, 1].map((server) => ({ kind: 'follow' as const, server, person: 0, streamer: 0, channel: undefined, ping: false, member: 0 })),
  { kind: 'follow', server: 0, person: 1, streamer: 1, channel: 1, ping: true, member: 0 },
  { kind: 'pass', minutes: 1 },
];

/** A walk has a few kinds of acts, because with all of them, most acts undo or hide the effects of others. */
export const someActs: fc.Arbitrary<readonly Act[]> = fc
  .subarray([...sometimes], { minLength: 2, maxLength: 6 })
  .chain((some) => fc.array(fc.oneof(...always, ...some), { minLength: 8, maxLength: 16, size: 'max' }))
  .map((acts) => [...BEGINNING, ...acts]);
