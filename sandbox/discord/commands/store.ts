import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Journal } from '../../journal.ts';
import { APPLICATION_ID } from '../identity.ts';
import type { Snowflakes } from '../snowflake.ts';
import { COMMAND_TYPES, CommandForm, isCalled } from './form.ts';

const COLLECTION = 'discord.commands';

const Command = z.object({
  id: z.string(),
  version: z.string(),
  /** Absent for a global command. */
  guildId: z.string().optional(),
  form: CommandForm,
});

/** A registered command. */
export type Command = z.output<typeof Command>;

/** The registered commands of the application. They stay registered after the bot disconnects. */
export class Commands {
  readonly #journal: Journal;
  readonly #ids: Snowflakes;
  readonly #byId = new Map<string, Command>();

  constructor({ journal, ids }: { readonly journal: Journal; readonly ids: Snowflakes }) {
    this.#journal = journal;
    this.#ids = ids;
    for (const document of journal.all(COLLECTION)) {
      const command = Command.parse(document);
      this.#byId.set(command.id, command);
      ids.skipPast(command.id);
      ids.skipPast(command.version);
    }
  }

  /** The commands of one guild, or the global commands. */
  in(guildId: string | undefined): readonly Command[] {
    return [...this.#byId.values()].filter((command) => command.guildId === guildId);
  }

  /** The command with this name in a language. Commands of the guild precede global ones. */
  findNamed(guildId: string, name: string, locale: string, type: number = COMMAND_TYPES.slash): Command | undefined {
    return [...this.in(guildId), ...this.in(undefined)].find(({ form }) => form.type === type && isCalled(form, name, locale));
  }

  /** Replaces all commands. A command that keeps its name keeps its id. */
  replaceAll(guildId: string | undefined, forms: readonly CommandForm[]): readonly Command[] {
    const commands = forms.map((form) => {
      const before = this.in(guildId).find((command) => command.form.name === form.name && command.form.type === form.type);
      const command = { id: before?.id ?? this.#ids.next(), version: this.#ids.next(), guildId, form };
      this.#byId.set(command.id, command);
      this.#journal.put(COLLECTION, command.id, command);
      return command;
    });
    for (const { id } of this.in(guildId)) if (!commands.some((command) => command.id === id)) this.drop(id);
    return commands;
  }

  drop(id: string): void {
    this.#byId.delete(id);
    this.#journal.drop(COLLECTION, id);
  }
}

/** A command as REST sends it. */
export function toCommand({ id, version, guildId, form }: Command): JsonObject {
  return {
    ...form,
    id,
    version,
    application_id: APPLICATION_ID,
    ...(guildId !== undefined && { guild_id: guildId }),
    default_member_permissions: form.default_member_permissions ?? null,
    dm_permission: guildId === undefined ? (form.dm_permission ?? true) : undefined,
    contexts: form.contexts ?? null,
    integration_types: form.integration_types ?? [0],
    nsfw: form.nsfw ?? false,
    name_localizations: form.name_localizations ?? null,
    description_localizations: form.description_localizations ?? null,
  };
}
