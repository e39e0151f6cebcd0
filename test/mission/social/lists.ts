import { expect } from 'vitest';
import type { StoredList } from '#sandbox/social/lists.ts';
import type { Choice } from '#src/social/arguments.ts';
import type { UserList } from '#src/social/records/discovery.ts';
import type { User } from '#src/social/records/user.ts';
import { answers, changes, one, row, walks, type Row } from '../rows.ts';
import { listForms, naming, userForms } from './forms.ts';
import type { SocialGround } from './ground.ts';
import { FOREIGN_LIST, LIST, ME } from './installation/past.ts';
import { ada, factsOf, personIn, seenPerson } from './world/people.ts';
import { postFacts, seenPost, timeline } from './world/posts.ts';

const PAGE = 20;

/** The lists as they stand in the store, oldest first. */
function lists({ store }: SocialGround): readonly StoredList[] {
  return store.all('social.lists') as unknown as readonly StoredList[]; // as the platform wrote them
}

function mine(ground: SocialGround): readonly StoredList[] {
  return lists(ground)
    .filter(({ ownerId, deletedAtMs }) => ownerId === ME && deletedAtMs === undefined)
    .toReversed();
}

function listIn(ground: SocialGround, id: string): StoredList {
  return lists(ground).find((list) => list.id === id) ?? expect.fail(`there is no list ${id}`);
}

function listFacts(ground: SocialGround, { id, name, description, ownerId, isPrivate, memberIds, createdAtMs }: StoredList): unknown {
  const visibility = isPrivate ? 'private' : 'public';
  return {
    id,
    name,
    description,
    owner: personIn(ground, ownerId).handle,
    visibility,
    memberCount: memberIds.length,
    createdAt: new Date(createdAtMs),
  };
}

function seenList({ id, name, description, owner, visibility, memberCount, createdAt }: UserList): unknown {
  return { id, name, description, owner: owner?.handle, visibility, memberCount, createdAt };
}

/** A new list with nobody in it, or with ada. */
async function newList({ client }: SocialGround, member?: string): Promise<string> {
  const { id } = await client.createList('For a case');
  if (member !== undefined) await client.addListMember(id, member);
  return id;
}

/** A list of the account whose id is a number: one that nothing else looks at. */
function numbered(place: number): string {
  return String(2010 + place);
}

/** Lists in each form, then users in each form. */
function membership(name: 'add_list_member' | 'remove_list_member'): Row<SocialGround> {
  const adds = name === 'add_list_member';
  const call = ({ client }: SocialGround, list: Choice<UserList>, user: Choice<User>): Promise<UserList> =>
    adds ? client.addListMember(list, user) : client.removeListMember(list, user);
  const membersOf = (ground: SocialGround, id: string): readonly string[] =>
    listIn(ground, id).memberIds.map((member) => personIn(ground, member).handle);
  const states = { from: adds ? [] : ['ada'], to: adds ? ['ada'] : [] };
  const answer = { seen: seenList, holds: (ground: SocialGround, id: string) => listFacts(ground, listIn(ground, id)) };
  let place = adds ? 0 : 10;

  return row<SocialGround>(
    name,
    changes<SocialGround, string, Choice<UserList>, UserList>(listForms, {
      async subject({ client }) {
        const id = numbered(place++);
        if (!adds) await client.addListMember(id, 'ada');
        return id;
      },
      call: (ground, list) => call(ground, list, 'ada'),
      observe: membersOf,
      ...states,
      answer,
    }),
    changes<SocialGround, string, Choice<User>, UserList>(
      naming(userForms('user_id'), (ground) => ada(ground).id),
      {
        subject: (ground) => newList(ground, adds ? undefined : 'ada'),
        call: (ground, user, id) => call(ground, id, user),
        observe: membersOf,
        ...states,
        answer,
      },
    ),
  );
}

export function listRows(): readonly Row<SocialGround>[] {
  return [
    row<SocialGround>(
      'get_lists',
      walks(
        { 'no argument': () => undefined },
        {
          get: ({ client }, _, walk) => client.getLists(walk),
          iter: ({ client }, _, walk) => client.iterLists(walk),
          holds: (ground) => mine(ground).map((list) => listFacts(ground, list)),
          seen: seenList,
          page: PAGE,
        },
      ),
    ),
    row<SocialGround>(
      'create_list',
      ...[
        { form: 'name', options: {}, stored: { description: '', isPrivate: false } },
        { form: 'description', options: { description: 'Who runs' }, stored: { description: 'Who runs', isPrivate: false } },
        { form: 'is_private: true', options: { isPrivate: true }, stored: { description: '', isPrivate: true } },
      ].map(({ form, options, stored }) =>
        one<SocialGround>({
          form,
          async prove(ground) {
            const before = mine(ground);

            const list = await ground.client.createList('Runners', options);

            const [first, ...others] = mine(ground);
            expect(others).toEqual(before);
            expect(first).toEqual({ id: list.id, ownerId: ME, name: 'Runners', memberIds: [], createdAtMs: ground.nowMs, ...stored });
            expect(seenList(list)).toEqual(first && listFacts(ground, first));
          },
        }),
      ),
    ),
    row<SocialGround>(
      'delete_list',
      changes<SocialGround, string, Choice<UserList>, boolean>(listForms, {
        subject: (() => {
          let place = 20;
          return () => numbered(place++);
        })(),
        call: ({ client }, list) => client.deleteList(list),
        observe: (ground, id) => mine(ground).some((list) => list.id === id),
        from: true,
        to: false,
      }),
      one({
        form: 'list_id: of somebody else',
        async prove(ground) {
          await expect(ground.client.deleteList(FOREIGN_LIST)).rejects.toMatchObject({ fault: 'forbidden' });
          expect(listIn(ground, FOREIGN_LIST).deletedAtMs).toBeUndefined();
        },
      }),
    ),
    row<SocialGround>(
      'get_list',
      answers(
        naming(listForms, () => LIST),
        {
          call: ({ client }, list) => client.getList(list),
          seen: seenList,
          holds: (ground) => listFacts(ground, listIn(ground, LIST)),
        },
      ),
      answers(
        { 'list_id: str, of somebody else': () => FOREIGN_LIST },
        {
          call: ({ client }, list) => client.getList(list),
          seen: seenList,
          holds: (ground) => listFacts(ground, listIn(ground, FOREIGN_LIST)),
        },
      ),
      one({
        form: 'list_id: a private one of somebody else',
        async prove({ client }) {
          await expect(client.getList('2102')).rejects.toMatchObject({ fault: 'missing' });
        },
      }),
    ),
    row<SocialGround>(
      'get_list_posts',
      walks(
        naming(listForms, () => LIST),
        {
          get: ({ client }, list, walk) => client.getListPosts(list, walk),
          iter: ({ client }, list, walk) => client.iterListPosts(list, walk),
          holds: (ground) => {
            const members = new Set(listIn(ground, LIST).memberIds);
            return timeline(ground).flatMap((post) => (members.has(post.authorId) ? [postFacts(post)] : []));
          },
          seen: seenPost,
          page: PAGE,
        },
      ),
    ),
    row<SocialGround>(
      'get_list_member',
      walks(
        naming(listForms, () => LIST),
        {
          get: ({ client }, list, walk) => client.getListMember(list, walk),
          iter: ({ client }, list, walk) => client.iterListMember(list, walk),
          holds: (ground) => factsOf(ground, listIn(ground, LIST).memberIds.toReversed()),
          seen: seenPerson,
          page: PAGE,
        },
      ),
    ),
    membership('add_list_member'),
    membership('remove_list_member'),
  ];
}
