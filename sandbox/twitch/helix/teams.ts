import type { JsonObject } from '#src/clients/operation/json.ts';
import type { World } from '../../world/world.ts';
import { Refusal } from '../../refusal.ts';
import { type HelixRequest, thinned } from './request.ts';

/** The only team of the sandbox. */
const TEAM = { id: '6358', name: 'nightshift', displayName: 'Night Shift' } as const;
const MEMBERS = 12;

/** The members of the team: the best-known people of the world. */
export function teamMembers({ people }: Pick<World, 'people'>): World['people'] {
  return people.slice(0, MEMBERS);
}

/** `GET /teams`: a team by its name or id, with all members. */
export function getTeams({ world, query, fault }: HelixRequest): { readonly data: readonly JsonObject[] } {
  const [name, id] = [query.one('name'), query.one('id')];
  if ((name === undefined) === (id === undefined)) throw new Refusal(400, 'Must provide either name or id');
  if (name !== TEAM.name && id !== TEAM.id) throw new Refusal(404, 'The specified team was not found');
  const users = teamMembers(world).map((person) => ({ user_id: person.id, user_name: person.displayName, user_login: person.handle }));
  return {
    data: [
      {
        id: TEAM.id,
        team_name: TEAM.name,
        team_display_name: TEAM.displayName,
        info: 'They stream at night.',
        users: thinned(users, fault),
      },
    ],
  };
}
