import type { Falsehood } from '#src/rules/reasons/falsehood.ts';
import type {
  Absent,
  ChangeDetail,
  GateBlock,
  Missing,
  Named,
  Reason,
  RestrictedItems,
  Standing,
  StoredSuppression,
  Suppression,
  Unchanged,
  Unfit,
} from '#src/rules/reasons/reason.ts';
import type { ChangeKind } from '#src/rules/rule.ts';
import { counted, falsehood, fault, listed, numeral, span, spanAgo } from './values.ts';

const CHANGES: Readonly<Record<ChangeKind, string>> = {
  entered: 'dazugekommen',
  left: 'gegangen',
  moved: 'mit anderem Platz',
  changed: 'geändert',
  rose: 'gestiegen',
  fell: 'gefallen',
};

/** The reason of a decision. */
export function decision(reason: Reason): string {
  switch (reason.kind) {
    case 'unread':
      return `die Abfrage ist fehlgeschlagen: ${unread(reason)}`;
    case 'keyless':
      return 'die Liste ist unbrauchbar: Ein Eintrag hat keinen Schlüssel';
    case 'slot': {
      const { hindrance } = reason;
      return hindrance?.kind === 'refused'
        ? `nicht ausgeführt: ${suppressionText(hindrance.by)}`
        : `die geplante Zeit ist gekommen${hindrance ? blockedBy(hindrance) : ''}`;
    }
    case 'waiting': {
      const { name, standing: where, settleMs, seen } = reason;
      const settling = settleMs === undefined ? [] : [`muss noch ${span(settleMs)} bleiben`];
      const counting = seen ? [`in ${seen.count} von ${numeral(seen.of)} Abfragen gesehen`] : [];
      return `${name} steht auf ${standing(where)}: ${[...settling, ...counting].join(', ')}`;
    }
    case 'settling':
      return `${reason.name} ${started(reason.happened)}; muss noch ${span(reason.settleMs)} so bleiben`;
    case 'missing':
      return `${reason.name} ${reason.unfit ? noFit(reason.unfit) : 'fehlt'}: ${missing(reason.missing)}`;
    case 'back':
      return `${reason.name} ist nach ${spanAgo(reason.awayMs)} wieder da, auf ${standing(reason.standing)}: dieselbe Episode, keine zweite Meldung`;
    case 'vanished': {
      const gone = reason.unfit ? `zählte noch nicht und ${noFit(reason.unfit)}` : 'war wieder weg, bevor es zählte';
      return `${reason.name} ${gone}; gesehen für ${span(reason.seenMs)}`;
    }
    case 'opened':
      return `${reason.name} steht auf ${standing(reason.standing)}, nicht gemeldet: ${suppressionText(reason.silence)}`;
    case 'happened': {
      const { name, happened: change, hindrance } = reason;
      return `${name} ${happened(change)}${hindrance ? blockedBy(hindrance) : ''}`;
    }
    case 'poll': {
      const kinds = reason.changes.map((some) => `${numeral(some.count)} ${CHANGES[some.change]} (${several(some)})`);
      return listed(kinds) + (reason.hindrance ? blockedBy(reason.hindrance) : '');
    }
    case 'closed': {
      const { name, live, seenMs, standing: where, unfit: mismatch, silence: suppression } = reason;
      const gone = mismatch ? `ist nicht mehr dabei: ${noFit(mismatch)};` : `${live ? 'ist nicht mehr live' : 'ist nicht mehr dabei'}:`;
      const never = suppression === undefined ? '' : `; nie gemeldet: ${suppressionText(suppression)}`;
      return `${name} ${gone} gesehen für ${span(seenMs)}, zuletzt ${standing(where)}${never}`;
    }
    case 'outOfList':
      return `${reason.name} steht nach einer Änderung der Regel nicht mehr auf der Liste; das Ende wird nicht gemeldet; gesehen für ${span(reason.seenMs)}`;
    case 'unfollowed':
      return `${reason.name} wird nicht mehr verfolgt: Der Wert von „each“ wurde aus der Regel genommen; gesehen für ${span(reason.seenMs)}`;
    case 'baseline': {
      const firstPoll = reason.isNew ? 'erste Abfrage' : 'erste Abfrage, seit die Regel etwas anderes beobachtet';
      const { found } = reason;
      return `${firstPoll}: ${counted(found.count, 'Eintrag', 'Einträge')} schon in der Liste, nicht gemeldet: ${several(found)}`;
    }
    case 'unfit':
      return unfit(reason);
    case 'restricted':
      return restricted(reason);
    case 'unchanged': {
      const { unfit: excluded, restricted: hidden } = reason;
      return [unchanged(reason), ...(excluded ? [unfit(excluded)] : []), ...(hidden ? [restricted(hidden)] : [])].join('; ');
    }
    case 'handedOver': {
      const { changes, lastSlotMs, untold } = reason;
      const deferred =
        lastSlotMs === undefined
          ? `${counted(changes, 'Änderung', 'Änderungen')} zurückgehalten`
          : `Termine wurden zurückgehalten, der letzte vom ${new Date(lastSlotMs).toISOString()}`;
      const ended = `die Ruhezeit ist vorbei: ${deferred}`;
      if (!untold) return ended;
      return `${ended}, nicht gemeldet: ${untold.kind === 'fuseBlew' ? 'die Sicherung hat ausgelöst' : suppressionText(untold)}`;
    }
  }
}

/** The reason of a failed poll. */
export function unread({ failure, fault: kind }: Omit<Extract<Reason, { readonly kind: 'unread' }>, 'kind'>): string {
  if (failure === undefined) return 'es kam keine Antwort';
  return kind === undefined ? `„${failure}“` : fault(kind, failure);
}

/** The text after a name: its item no longer matches `where`. */
function noFit(mismatch: Falsehood): string {
  return `passt nicht mehr zu „where“, denn ${falsehood(mismatch)}`;
}

function unfit({ count, named }: Unfit): string {
  const samples = named.map(({ name, because }) => `${name}: ${falsehood(because)}`).join('; ');
  const more = count > named.length ? `; und ${numeral(count - named.length)} weitere` : '';
  return `${counted(count, 'Eintrag passt', 'Einträge passen')} nicht zu „where“: ${samples}${more}`;
}

function restricted({ followers, direct }: RestrictedItems): string {
  const kinds = [...(followers > 0 ? [`${numeral(followers)} für Follower`] : []), ...(direct > 0 ? [`${numeral(direct)} direkt`] : [])];
  return `${counted(followers + direct, 'Eintrag', 'Einträge')} ausgelassen, weil nicht alle sie lesen können: ${kinds.join(', ')}; „include“ nimmt sie auf`;
}

const INCOMPLETE = {
  short: '; die Liste war unvollständig und zeigt nicht, welche Einträge fehlen',
  pages: '; weitere Seiten wurden nicht gelesen, deshalb zeigt die Liste nicht, welche Einträge fehlen',
} as const;

function unchanged({ read, followed, below, missing: gone, noLongerFit, cut }: Unchanged): string {
  const lower = below ? `, ${numeral(below.count)} hinter den ersten ${numeral(below.take)}` : '';
  const away = gone ? `, ${counted(gone.count, 'fehlt', 'fehlen')} noch: ${absent(gone)}` : '';
  const refused = noLongerFit ? `, ${counted(noLongerFit.count, 'passt', 'passen')} nicht mehr zu „where“: ${absent(noLongerFit)}` : '';
  return `nichts hat sich geändert: ${counted(read, 'Eintrag', 'Einträge')} gelesen, ${numeral(followed)} davon verfolgt${lower}${away}${refused}${cut ? INCOMPLETE[cut] : ''}`;
}

function absent({ count, named }: Absent): string {
  return several({ count, names: named.map((one) => `${one.name} (${missing(one.missing)})`) });
}

function missing({ polls, graceMs }: Missing): string {
  const counting = polls ? [`in ${numeral(polls.count)} von ${numeral(polls.of)} Abfragen`] : [];
  const grace = graceMs === undefined ? [] : [`darf noch ${span(graceMs)} fehlen`];
  return [...counting, ...grace].join(', ');
}

function several({ count, names }: Named): string {
  const more = count - names.length;
  return more > 0 ? `${names.join(', ')} und ${numeral(more)} weitere` : names.join(', ');
}

/** The position of an item, for example `#3 mit 740 Zuschauern`. */
function standing({ rank, viewers }: Standing): string {
  return `#${rank ?? '?'}${withViewers(viewers)}`;
}

function withViewers(viewers: number | undefined): string {
  return viewers === undefined ? '' : ` mit ${counted(viewers, 'Zuschauer', 'Zuschauern')}`;
}

/** The text of a change, after the name. */
function happened(change: ChangeDetail): string {
  switch (change.kind) {
    case 'entered':
      return change.live ? `ist live${withViewers(change.standing.viewers)}` : `kam auf ${standing(change.standing)} dazu`;
    case 'left':
      return 'ist gegangen';
    case 'moved':
      return `ist von #${change.from ?? '?'} auf #${change.to ?? '?'} ${change.went === 'up' ? 'gestiegen' : 'gefallen'}`;
    case 'changed':
      return `hat jetzt ${change.fields.map(({ field, is, was }) => `${field} ${value(is)}, vorher ${value(was)}`).join('; ')}`;
    case 'rose':
    case 'fell': {
      const { kind, was } = change;
      const before = was === undefined ? '' : `, vorher ${numeral(was)}`;
      return `ist ${past(change)} ${kind === 'rose' ? 'gestiegen' : 'gefallen'}: ${now(change)}${before}`;
    }
  }
}

/** The text of a change that must persist for a while, after the name. */
function started(change: ChangeDetail): string {
  switch (change.kind) {
    case 'changed':
      return `hat jetzt ${change.fields.map(({ field, is }) => `${field} ${value(is)}`).join('; ')}`;
    case 'rose':
    case 'fell':
      return `ist jetzt ${past(change)}: ${now(change)}`;
    default:
      return happened(change);
  }
}

type Crossing = Extract<ChangeDetail, { readonly kind: 'rose' | 'fell' }>;

function past({ kind, lines }: Crossing): string {
  return lines.map((line) => `${kind === 'rose' ? 'über' : 'unter'} ${numeral(line)}`).join(' und ');
}

function now({ field, is }: Crossing): string {
  return `${field} ist ${is === undefined ? '?' : numeral(is)}`;
}

function value(json: string | undefined): string {
  return json ?? 'nichts';
}

/** The reason of a suppression. */
function suppressionText(reason: StoredSuppression): string {
  return typeof reason === 'string' ? reason : sentence(reason);
}

/** The text of a gate that blocks an announcement, after its change. */
function blockedBy({ kind, by }: GateBlock): string {
  return `${kind === 'held' ? '; zurückgehalten' : ', nicht gemeldet'}: ${suppressionText(by)}`;
}

function sentence(reason: Suppression): string {
  switch (reason.kind) {
    case 'paused':
      return `${reason.by} hat die Regel vor ${spanAgo(reason.agoMs)} angehalten; sie meldet nichts, bis sie fortgesetzt wird`;
    case 'if':
      return `if: ${falsehood(reason.because)}`;
    case 'fuseBlown':
      return `die Sicherung hat vor ${spanAgo(reason.agoMs)} ausgelöst; die Regel ist angehalten, bis sie fortgesetzt wird`;
    case 'fuseBlows':
      return `die Sicherung hat ausgelöst: ${counted(reason.firings, 'Meldung', 'Meldungen')} in ${spanAgo(reason.perMs)}, erlaubt sind ${reason.most}; die Regel ist angehalten, bis sie fortgesetzt wird`;
    case 'cooldown': {
      const who = reason.per === 'rule' ? 'die Regel hat zuletzt' : 'zuletzt';
      const ago = reason.agoMs === 0 ? 'in dieser Abfrage' : `vor ${spanAgo(reason.agoMs)}`;
      return `Wartezeit: ${who} ${ago} gemeldet, noch ${span(reason.leftMs)}`;
    }
    case 'quietHours':
      return `Ruhezeit von ${clock(reason.fromMinute)} bis ${clock(reason.toMinute)} (${reason.timezone}), noch ${span(reason.leftMs)}`;
    case 'single':
      return 'eine frühere Meldung wird noch zugestellt (mode: single)';
    case 'queueFull':
      return `${counted(reason.waiting, 'Meldung wartet', 'Meldungen warten')} schon, höchstens ${reason.most} sind erlaubt: Prüfe die Ziele`;
    case 'parallelFull':
      return `${counted(reason.firings, 'Meldung ist', 'Meldungen sind')} unterwegs, höchstens ${reason.most} sind erlaubt: Prüfe die Ziele`;
    case 'thereAlready':
      return 'war schon vorher da';
    case 'unasked':
      return 'die Regel meldet keine neuen Einträge';
    case 'collected':
      return 'die Schritte nach der Ruhezeit melden es';
    case 'endedInQuiet':
      return 'endete in der Ruhezeit';
    case 'old':
      return `schon ${span(reason.ageMs)} alt, mehr als maxAge (${span(reason.maxAgeMs)})`;
    case 'begunUnread': {
      const { agoMs, maxAgeMs, unreadMs } = reason;
      return `begonnen vor ${spanAgo(agoMs)}, mehr als maxAge (${span(maxAgeMs)}), und seit ${spanAgo(unreadMs)} wurde nichts gelesen`;
    }
  }
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}
