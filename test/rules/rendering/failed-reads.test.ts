import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { StepResults } from '#src/rules/results.ts';
import type { StepNames, Step } from '#src/rules/step.ts';
import { rendered } from './fixture.ts';

const names: StepNames = {
  watch: 'streaming.getStreams',
  steps: { who: 'streaming.getUser', vods: 'streaming.getUserVideos', post: 'social.createPost' },
  accounts: { who: ['twitch', 'kick'], vods: ['twitch'], post: ['x'] },
};
const results: StepResults = {
  who: [
    { account: 'twitch', isFailed: true },
    { account: 'kick', result: { id: '1', displayName: 'Ada', bio: 'chess' } },
  ],
  vods: [{ account: 'twitch', isFailed: true }],
  post: [{ account: 'x', isFailed: true }],
};
const READS = ['who', 'who.own', 'who.on.kick', 'vods', 'post'];

function renderWith(parameters: JsonObject, step: Partial<Step> = {}): ReturnType<typeof rendered> {
  return rendered(parameters, { reads: READS, ...step }, { names, results });
}

const skipped = (step: string): object => ({ skip: { kind: 'lookUpFailed', step, account: 'twitch' } });

describe('a step whose text reads the result of a failed look-up is skipped', () => {
  test.each([
    ['Live: ${{ steps.who.displayName }}', 'who'],
    ['${{ steps.vods.items.map(v, v.url).join(" ") }}', 'vods'],
    ['${{ string(steps.vods.items.size()) }} videos', 'vods'],
    ['${{ item.title == "" ? "" : steps.who.bio }}', 'who'],
    ['${{ items.map(i, i.title + steps.who.bio).join(" ") }}', 'who'],
    ['${{ either(steps.who.bio, steps.vods.items[0].url) }}', 'who'],
  ])('%s', (text, step) => {
    expect(renderWith({ text })).toEqual(skipped(step));
  });

  test('with forEach over the result', () => {
    expect(renderWith({ text: '${{ it.url }}' }, { forEach: 'steps.vods.items' })).toEqual(skipped('vods'));
  });

  test('with the result as a parameter of another look-up', () => {
    const next = { do: 'streaming.getStreams', creates: false };

    expect(renderWith({ users: ['${{ steps.who.handle }}'], languages: ['en'] }, next)).toEqual(skipped('who'));
  });
});

test('a step whose text reads a record that does not exist is skipped, unless its condition reads it', () => {
  const gone: StepResults = { who: [{ account: 'twitch', result: { gone: true }, isGone: true }] };
  const render = (text: string, step: Partial<Step> = {}) => rendered({ text }, { reads: READS, ...step }, { names, results: gone });

  expect(render('Live: ${{ steps.who.displayName }}')).toEqual({ skip: { kind: 'recordGone', step: 'who', account: 'twitch' } });
  expect(render('Deleted', { if: 'steps.who.gone' })).toEqual({ params: { text: 'Deleted' } });
  expect(render('Live', { if: '!steps.who.gone' })).toMatchObject({ skip: { kind: 'stepIf' } });
});

describe('a step is sent', () => {
  test.each([
    ['${{ either(steps.who.displayName, "somebody") }}', 'somebody'],
    ['A${{ steps.who.displayName == "" ? "" : " by " + steps.who.displayName }}', 'A'],
    ['Live: ${{ steps.who.on.kick.displayName }}', 'Live: Ada'],
    ['What a write gave reads as empty: ${{ steps.post.url }}', 'What a write gave reads as empty: '],
  ])('if its text handles the failure or reads another result: %s', (text, expected) => {
    expect(renderWith({ text })).toEqual({ params: { text: expected } });
  });

  test('if its condition reads the result', () => {
    expect(renderWith({ text: 'by ${{ steps.who.displayName }}' }, { if: 'steps.who.displayName == ""' })).toEqual({
      params: { text: 'by ' },
    });
    expect(renderWith({ text: 'by ${{ steps.who.displayName }}' }, { if: 'steps.vods.items.size() == 0' })).toEqual(skipped('who'));
  });

  test('without an image from the look-up', () => {
    const embed = { title: '${{ item.title }}', thumbnail: '${{ steps.who.avatarUrl }}' };
    const card = { do: 'discord.send', with: { channel: 'live', embed } };

    expect(renderWith(card.with, card)).toEqual({ params: { channel: 'live', embed: { title: 'Ranked until I win' } } });
  });
});
