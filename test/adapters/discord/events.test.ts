import { expect, test } from 'vitest';
import { createEvent } from '#src/clients/chat/events.ts';
import { openChat, type ChatFixture } from './open-chat.ts';

/** An hour after the clock of the tests, and two. */
const [STARTS, ENDS] = ['2026-11-20T19:00:00.000Z', '2026-11-20T20:00:00.000Z'];
const FINALE = { startsAt: STARTS, endsAt: ENDS, location: 'https://www.twitch.tv/ada', description: 'The *last* one' };

/** The events of the server, as Discord lists them. */
async function listed(fixture: ChatFixture): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return (await fixture.discord.rest().get(`/guilds/${fixture.discord.guildId}/scheduled-events`)) as never; // a list of events
}

test('an event is created, moved, renamed and deleted', async () => {
  await using fixture = await openChat();

  const event = await fixture.chat.createEvent('The *finale*', FINALE);
  const created = await listed(fixture);
  await fixture.chat.editEvent(event.id, { startsAt: '2026-11-20T19:30:00Z' });
  await fixture.chat.editEvent(event.id, { name: 'The end', description: '' });
  const changed = await listed(fixture);
  await fixture.chat.deleteEvent(event.id);
  await fixture.chat.deleteEvent(event.id);

  expect(event).toMatchObject({ platform: 'discord', url: `https://discord.com/events/${fixture.discord.guildId}/${event.id}` });
  const place = { entity_type: 3, channel_id: null, entity_metadata: { location: 'https://www.twitch.tv/ada' } };
  const times = { scheduled_start_time: STARTS, scheduled_end_time: ENDS };
  expect(created).toEqual([
    expect.objectContaining({ id: event.id, name: 'The *finale*', description: 'The *last* one', ...times, ...place }),
  ]);
  expect(changed).toEqual([
    expect.objectContaining({
      name: 'The end',
      description: null,
      scheduled_start_time: '2026-11-20T19:30:00.000Z',
      scheduled_end_time: ENDS,
      ...place,
    }),
  ]);
  expect(await listed(fixture)).toEqual([]);
});

test('texts are shortened to the limits of Discord', async () => {
  await using fixture = await openChat();

  await fixture.chat.createEvent('a'.repeat(140), { ...FINALE, location: 'b'.repeat(140) });

  const [event] = await listed(fixture);
  expect(event?.['name']).toMatch(/^a{99}…$/u);
  expect(event?.['entity_metadata']).toEqual({ location: expect.stringMatching(/^b{99}…$/u) });
});

test('a lost response does not create a second event', async () => {
  await using fixture = await openChat();
  const since = new Date(fixture.clock.nowMs());
  fixture.lose('resetAfter');
  const failure = await fixture.chat.createEvent('Finale', FINALE).catch((error: unknown) => error);
  const wanted = { name: 'Finale', ...FINALE };

  const recovery = await fixture.recoverOf(createEvent.declared, wanted, { key: 'k', since });
  const [event] = await listed(fixture);
  const taken = await fixture.recoverOf(createEvent.declared, wanted, { key: 'l', since, taken: [String(event?.['id'])] });
  const other = await fixture.recoverOf(
    createEvent.declared,
    { ...wanted, endsAt: ENDS, startsAt: '2026-11-20T19:01:00Z' },
    { key: 'm', since },
  );

  expect(failure).toMatchObject({ fault: 'unanswered' });
  expect(recovery).toMatchObject({ found: { id: event?.['id'], name: 'Finale' } });
  expect([taken, other]).toEqual(['absent', 'absent']);
});

test('a request that never arrived is found to be absent', async () => {
  await using fixture = await openChat();
  const since = new Date(fixture.clock.nowMs());
  fixture.lose('resetBefore');
  await fixture.chat.createEvent('Finale', FINALE).catch(() => undefined);

  expect(await fixture.recoverOf(createEvent.declared, { name: 'Finale', ...FINALE }, { key: 'k', since })).toBe('absent');
});

test('wrong times and unknown events are refused', async () => {
  await using fixture = await openChat();
  const { id } = await fixture.chat.createEvent('Finale', FINALE);

  await expect(fixture.chat.createEvent('Late', { ...FINALE, startsAt: '2026-11-20T17:00:00Z' })).rejects.toMatchObject({
    fault: 'rejected',
  });
  await expect(fixture.chat.createEvent('Short', { ...FINALE, endsAt: STARTS })).rejects.toMatchObject({ name: 'ValidationError' });
  await expect(fixture.chat.editEvent('the finale', { name: 'a' })).rejects.toMatchObject({ fault: 'missing' });
  await expect(fixture.chat.editEvent('1202584131993699999', { name: 'a' })).rejects.toMatchObject({ fault: 'missing' });
  await expect(fixture.chat.editEvent(id, {})).rejects.toMatchObject({ name: 'ValidationError' });
  await expect(fixture.chat.createEvent('There', { ...FINALE, server: '1202584131993699999' })).rejects.toMatchObject({ fault: 'missing' });
});

test('the sandbox begins and ends an event by its times, and lists it until its end', async () => {
  await using fixture = await openChat();
  await fixture.chat.createEvent('Finale', FINALE);
  const status = async () => (await listed(fixture)).map((event) => event['status']);

  const before = await status();
  await fixture.clock.advance(3_600_000);
  const during = await status();
  await fixture.clock.advance(3_600_000);

  expect([before, during, await status()]).toEqual([[1], [2], []]);
});
