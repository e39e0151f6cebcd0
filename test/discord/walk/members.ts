import { en } from '#src/discord/language/en/index.ts';
import type { DiscordSandbox, InteractionView } from '../../support/discord-sandbox.ts';
import { idOf, textsIn } from '../servers/fixture.ts';
import type { Answer, Request } from './expected-server.ts';

const { following: texts, errors } = en;

/** The answers by their texts. The first one that fits counts. */
const ANSWERS: readonly (readonly [Answer, string])[] = [
  ['added', texts.title.followed(1)],
  ['noChannel', texts.noChannel],
  ['edited', 'was changed'],
  ['known', 'is followed already'],
  ['known', 'is disabled, so nothing is announced'],
  ['removed', texts.title.removed(1)],
  ['notFollowed', 'is not followed.'],
  ['undone', texts.title.undone],
  ['meanwhile', errors.refused.entryChanged()],
  ['meanwhile', errors.refused.entryExists()],
  ['meanwhile', errors.refused.entryNotFound()],
  ['meanwhile', 'while your form was open'],
  ['unknown', errors.refused.changeNotFound()],
];

/** The outcomes of a requested announcement. */
const REQUESTED = ['announced', 'alreadyAnnounced', 'notLive'] as const;

/** A member of a server. */
export interface Member {
  readonly server: string;
  readonly name: string;
}

/** What a member sees after a request. */
export interface Answered {
  readonly answer: Answer | 'other';
  readonly text: string;
  /** The button that takes the request back. */
  readonly undo?: Button | undefined;
  /** The button that announces a running stream. */
  readonly announce?: Button | undefined;
}

/** A button of an answer. */
export interface Button {
  readonly message: string;
  readonly customId: string;
}

/** What members do in Discord. */
export class Members {
  readonly #discord: DiscordSandbox;
  readonly #handleOf: (streamer: string) => string;

  constructor(discord: DiscordSandbox, handleOf: (streamer: string) => string) {
    this.#discord = discord;
    this.#handleOf = handleOf;
  }

  async ask(request: Request, member: Member): Promise<Answered> {
    return answered(request, await this.#use(request, member));
  }

  run(command: string, options: object, { server, name }: Member): Promise<InteractionView> {
    return this.#act({ user: name, guild: server, channel: 'general', command, options });
  }

  /** Presses a button that announces a running stream. `notRequested`: the answer names what prevents it. */
  async announce({
    message,
    customId,
    by,
  }: Button & { readonly by: string }): Promise<(typeof REQUESTED)[number] | 'notFollowed' | 'notRequested'> {
    const view = await this.forge(message, customId, by);
    const shown = JSON.stringify([view, ...view.followUps]);
    if (shown.includes('is not followed.')) return 'notFollowed';
    const parts = { announced: ' is announced.', alreadyAnnounced: 'was announced already.', notLive: 'is not live anymore' };
    return REQUESTED.find((one) => shown.includes(parts[one])) ?? 'notRequested';
  }

  /** Uses a component that the message may not have. */
  forge(message: string, customId: string, user: string): Promise<InteractionView> {
    return this.#act({ user, message, customId, forged: true });
  }

  async #use(request: Request, member: Member): Promise<InteractionView> {
    const streamer = 'streamer' in request ? `twitch.tv/${this.#handleOf(request.streamer)}` : '';
    switch (request.kind) {
      case 'follow': {
        const { channel, ping, member: streaming } = request;
        const options = { channel, ping, member: streaming };
        return this.run('follow add', { streamer, ...definedIn(options) }, member);
      }
      case 'remove':
        return this.run('follow remove', { streamer }, member);
      case 'edit': {
        const opened = await this.run('follow edit', { streamer }, member);
        if (opened.outcome !== 'modal') return opened;
        const { channel = [], ping = [], message = '', deleteAfter } = request.fields;
        const fields = { message, channel: [channel].flat(), ping: [ping].flat(), after: [deleteAfter ? 'delete' : 'keep'] };
        return this.#act({ user: member.name, modal: opened.id, fields });
      }
      case 'name':
        // The bot stands for no one.
        return this.run('follow edit', { streamer, member: request.member ?? 'Fanfare' }, member);
      case 'liveRole': {
        const opened = await this.run('setup', {}, member);
        return this.#act({ user: member.name, message: idOf(opened), customId: 'setup:live', values: [request.role ?? []].flat() });
      }
      case 'pause':
        return this.run('automation disable', { rule: 'followed', streamer }, member);
      case 'resume':
        return this.run('automation enable', { rule: 'followed', streamer }, member);
      case 'off':
        return this.run('automation disable', { rule: 'followed' }, member);
      case 'on':
        return this.run('automation enable', { rule: 'followed' }, member);
      case 'setUp': {
        const opened = await this.run('setup', {}, member);
        return this.#act({ user: member.name, message: idOf(opened), customId: 'setup:channel', values: [request.channel] });
      }
      case 'undo': {
        const { by, message, customId } = request.change;
        // The member may have pressed it before.
        return this.forge(message, customId, by);
      }
    }
  }

  #act(order: object): Promise<InteractionView> {
    return this.#discord.interact(order);
  }
}

function definedIn(options: Readonly<Record<string, string | undefined>>): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function answered({ kind }: Request, view: InteractionView): Answered {
  const shown = [view.message?.content ?? '', ...textsIn(view.message?.components)];
  const text = [...shown, view.error ?? ''].join('\n');
  const button = (form: RegExp): Button | undefined => {
    const customId = form.exec(JSON.stringify(view.message?.components))?.[1];
    return view.message && customId !== undefined ? { message: view.message.id, customId } : undefined;
  };
  const answer = ANSWERS.find(([, part]) => text.includes(part))?.[0] ?? bySwitch(kind, text) ?? 'other';
  return { answer, text, undo: button(/"((?:follow|automation):undo:[^"]+)"/u), announce: button(/"(follow:announce:[^"]+)"/u) };
}

/** The titles of the switches have the numbers and names of streamers. */
function bySwitch(kind: Request['kind'], text: string): Answer | undefined {
  const isOn = /^### ▶️/mu.test(text);
  const isOff = /^### ⏸️/mu.test(text);
  if (kind === 'pause' && isOff) return 'paused';
  if (kind === 'resume' && isOn) return 'resumed';
  if (kind === 'off' && isOff) return 'off';
  if (kind === 'on' && isOn) return 'on';
  return (kind === 'setUp' || kind === 'liveRole') && text.includes(en.setup.buttons.done) ? 'setUp' : undefined;
}
