import { PlatformError } from '#src/errors.ts';
import { type Helix, type Primitives } from '../client.ts';
import { TeamRows } from '../wire/team.ts';
import { usersById } from './users.ts';

/** The channels of a team, in the order of Twitch, as one page. */
export function teamMembers(helix: Helix): Primitives['getTeamMembers'] {
  return async ({ team: name }, { signal }) => {
    const { rows, partialErrors } = await readTeam(helix, name, signal);
    const [team] = rows;
    if (!team) return { items: [], partialErrors };
    const { users, partialErrors: ofUsers } = await usersById(helix, team.members, signal);
    return { items: team.members.flatMap((id) => users.get(id) ?? []), partialErrors: [...partialErrors, ...ofUsers] };
  };
}

async function readTeam(helix: Helix, name: string, signal: AbortSignal | undefined) {
  const read = await helix.list('/teams', TeamRows, { name: name.trim().toLowerCase() }, { signal }).catch((error: unknown) => {
    if (error instanceof PlatformError && error.fault === 'missing') throw unknownTeam(name, error);
    throw error;
  });
  if (read.rows.length === 0 && read.partialErrors.length === 0) throw unknownTeam(name);
  return read;
}

function unknownTeam(name: string, cause?: unknown): PlatformError {
  const message = `twitch has no team "${name}": write the name from the address twitch.tv/team/<name>.`;
  return new PlatformError(message, { platform: 'twitch', fault: 'missing', cause });
}
