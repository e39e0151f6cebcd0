import type { WorldPerson } from '../../../world/world.ts';
import { toRelationship } from '../../entities/relationship.ts';
import { toList } from '../../entities/list.ts';
import { notAllowed, recordNotFound } from '../../refusal.ts';
import { end, establish } from '../../repeats.ts';
import { anew, json, spend, type UserVisit } from '../../visit.ts';
import { signedIn, type Routes } from '../api.ts';
import { idsIn, peoplePage, requirePerson } from '../listings.ts';

type Change = (person: WorldPerson, found: UserVisit) => void;

/** How the viewer stands to others, and what changes it. */
export function relationshipRoutes(routes: Routes): void {
  routes.get(
    '/v1/accounts/relationships',
    signedIn('read:follows', (found) => {
      const people = idsIn(found).flatMap((id) => found.ground.ids.findPerson(id) ?? []);
      return json(
        found,
        people.map((person) => toRelationship(person, found)),
      );
    }),
  );

  change(routes, 'follow', 'write:follows', (person, found) => {
    const isSet = found.moment.relations.follows(found.viewer.id, person.id);
    establish(found, { kind: 'follow', target: person.id, isSet, set: () => follow(person, found) });
  });
  change(routes, 'unfollow', 'write:follows', ({ id }, found) => {
    const { viewer, moment, ground } = found;
    const nowMs = moment.now.getTime();
    const unset = (): void => {
      moment.relations.setFollow(viewer.id, id, false, nowMs);
      moment.relations.setNotify(viewer.id, id, false, nowMs);
      for (const kind of ['request', 'requestToHear', 'withoutReblogs', 'follow'] as const) ground.marks.drop(kind, viewer.id, id);
    };
    end(found, { kind: 'follow', target: id, unset });
  });
  change(routes, 'remove_from_followers', 'write:follows', ({ id }, { viewer, moment }) =>
    moment.relations.setFollow(id, viewer.id, false, moment.now.getTime()),
  );
  change(routes, 'block', 'write:blocks', (person, found) => {
    refuseSelf(person, found);
    const { relations, now } = found.moment;
    const set = (): void => {
      relations.setBlock(found.viewer.id, person.id, true, now.getTime());
      found.ground.marks.drop('request', found.viewer.id, person.id);
    };
    establish(found, { kind: 'block', target: person.id, isSet: relations.blocks(found.viewer.id, person.id), set });
  });
  change(routes, 'unblock', 'write:blocks', ({ id }, found) => {
    const { relations, now } = found.moment;
    end(found, { kind: 'block', target: id, unset: () => relations.setBlock(found.viewer.id, id, false, now.getTime()) });
  });
  change(routes, 'mute', 'write:mutes', (person, found) => {
    refuseSelf(person, found);
    found.ground.marks.set({ kind: 'mute', userId: found.viewer.id, target: person.id, atMs: found.moment.now.getTime() });
  });
  change(routes, 'unmute', 'write:mutes', ({ id }, { viewer, ground }) => ground.marks.drop('mute', viewer.id, id));

  routes.get(
    '/v1/blocks',
    signedIn('read:blocks', (found) => peoplePage(found.moment.relations.blockedBy(found.viewer.id), found)),
  );
  routes.get(
    '/v1/mutes',
    signedIn('read:mutes', (found) =>
      peoplePage(
        found.ground.marks.by('mute', found.viewer.id).map(({ target }) => target),
        found,
      ),
    ),
  );
  routes.get(
    '/v1/accounts/:id/lists',
    signedIn('read:lists', (found, c) => {
      const { id } = requirePerson(c.req.param('id') ?? '', found);
      const lists = found.lists.of(found.viewer.id).filter(({ memberIds }) => memberIds.includes(id));
      return json(
        found,
        lists.map((list) => toList(list, found)),
      );
    }),
  );
}

function change(routes: Routes, name: string, scope: string, apply: Change): void {
  routes.post(
    `/v1/accounts/:id/${name}`,
    signedIn(scope, (found, c) => {
      const person = requirePerson(c.req.param('id') ?? '', found);
      apply(person, found);
      return json(found, toRelationship(person, anew(found)));
    }),
  );
}

/** Also changes how one follows; who chooses their followers is asked first. */
function follow(person: WorldPerson, found: UserVisit): void {
  const { viewer, moment, ground, fields } = found;
  const { relations } = moment;
  const nowMs = moment.now.getTime();
  if (person.id === viewer.id) throw recordNotFound();
  if (relations.parted(viewer.id, person.id)) throw notAllowed();

  const mark = { userId: viewer.id, target: person.id, atMs: nowMs };
  const isNew = !relations.follows(viewer.id, person.id) && !ground.marks.has('request', viewer.id, person.id);
  if (isNew) spend(found, 'follows', viewer.id);
  const notify = fields.flag('notify');
  if (isNew && ground.stage.people.isProtected(person.id)) {
    ground.marks.set({ ...mark, kind: 'request' });
    if (notify) ground.marks.set({ ...mark, kind: 'requestToHear' });
    return;
  }
  if (isNew) {
    relations.setFollow(viewer.id, person.id, true, nowMs);
    ground.marks.set({ ...mark, kind: 'follow' });
  }
  if (notify !== undefined && relations.follows(viewer.id, person.id)) relations.setNotify(viewer.id, person.id, notify, nowMs);
  const reblogs = fields.flag('reblogs');
  if (reblogs === false) ground.marks.set({ ...mark, kind: 'withoutReblogs' });
  if (reblogs === true) ground.marks.drop('withoutReblogs', viewer.id, person.id);
}

function refuseSelf({ id }: WorldPerson, { viewer }: UserVisit): void {
  if (id === viewer.id) throw notAllowed();
}
