import type { Fault } from '#src/errors.ts';
import type { CheckReason } from '../../doctor/check-reason.ts';
import { isNotOffered } from '../../doctor/notifications.ts';
import { counted, fault, numeral, span } from './reasons/values.ts';

/** The result of a check, and how to fix it. */
interface CheckTexts {
  readonly message: string;
  readonly remedy?: string | undefined;
}

const MEBIBYTE = 1024 ** 2;
const OTHER_APPLICATION = 'das Limit erhöhen oder eine andere Anwendung für einige der Installationen oder Konten anlegen';
const NAMES = 'prüfen, ob es diese Namen noch gibt und ob das Konto ihnen folgen muss; eine Regel mit account: liest sie nur dort';
const MAKE_ROOM = 'Platz schaffen, oder den Ordner auf ein anderes Laufwerk verschieben und FANFARE_DATA setzen';
const SYNCHRONIZE = 'die Zeit synchronisieren: timedatectl set-ntp true';

/** The parts that checks are about, by their English names. Accounts keep their names. */
export const CHECKED_PARTS: Readonly<Record<string, string>> = {
  'data folder': 'Datenordner',
  'the key': 'Schlüssel',
  'the clock': 'Uhr',
  'the clock of the database': 'Uhr der Datenbank',
  database: 'Datenbank',
  accounts: 'Konten',
  rules: 'Regeln',
  webhooks: 'Webhooks',
  channels: 'Kanäle',
  'published rules': 'Veröffentlichte Regeln',
  'the configuration': 'Konfiguration',
};

/** The result of a check of the installation. */
export function checked(reason: CheckReason): CheckTexts {
  switch (reason.kind) {
    case 'folderWritable':
      return { message: `${reason.path} ist beschreibbar; ${numeral(Math.round(reason.freeBytes / MEBIBYTE))} MiB frei` };
    case 'folderFull':
      return {
        message: `nur noch ${numeral(Math.round(reason.freeBytes / MEBIBYTE))} MiB frei in ${reason.path}`,
        remedy: MAKE_ROOM,
      };
    case 'folderMissing':
      return { message: `${reason.path} gibt es noch nicht`, remedy: 'der erste Start legt ihn an' };
    case 'folderNotWritable':
      return {
        message: `${reason.path} ist nicht beschreibbar: ${reason.code}`,
        remedy: folderRemedy(reason.code),
      };
    case 'keyInEnvironment':
      return { message: 'FANFARE_KEY ist gesetzt' };
    case 'keyPrivate':
      return { message: `nur der Eigentümer kann ${reason.path} lesen` };
    case 'keyReadable':
    case 'environmentReadable':
      return { message: `andere Benutzer können ${reason.path} lesen`, remedy: `chmod 600 ${reason.path}` };
    case 'databaseAnswers':
      return { message: `PostgreSQL ${reason.server} antwortet; Version ${reason.version} des Schemas` };
    case 'clockBehindSlot':
      return {
        message: `sie geht ${span(reason.byMs)} gegen den letzten Lauf einer Regel nach: Sie ging vor, oder sie geht jetzt nach`,
        remedy: `${SYNCHRONIZE}; beim nächsten Start macht Fanfare ab jetzt weiter`,
      };
    case 'clockSetBack':
      return {
        message: `sie wurde um ${span(reason.byMs)} zurückgestellt, am ${new Date(reason.atMs).toISOString()}: Die Regeln liefen von dort weiter`,
        remedy: SYNCHRONIZE,
      };
    case 'clockAgrees':
      return { message: `sie stimmt mit der Uhr von ${reason.host} überein` };
    case 'clockOff':
      return {
        message: `sie geht ${numeral(reason.seconds)} Sek. ${reason.isAhead ? 'vor' : 'nach'}, verglichen mit ${reason.host}`,
        remedy: SYNCHRONIZE,
      };
    case 'noAccounts':
      return { message: 'keine; Fanfare läuft in der Sandbox', remedy: 'eines verbinden: npx fanfare auth twitch' };
    case 'readRefused':
      return {
        message: `ein Post mit verlorener Antwort kann einen Menschen brauchen, weil eine Abfrage abgelehnt wird („${reason.problem}“)`,
        remedy: 'den Tarif und die Berechtigungen der App prüfen',
      };
    case 'scopeMissing':
      return {
        message: `${reason.scope} wurde nicht erlaubt („${reason.why}“)`,
        remedy: `noch einmal anmelden und es erlauben: ${reason.command}`,
      };
    case 'noBudget': {
      const { account, spent, month } = reason;
      return {
        message: `es hat ${spent} im Monat ${month} gekostet und hat kein Budget`,
        remedy: `in fanfare.yaml ein Budget setzen, zum Beispiel budgets: { ${account}: { month: 20 USD } }`,
      };
    }
    case 'budget': {
      const { account, spent, most, left, month, resetsOn } = reason;
      const raise = `um vorher mehr auszugeben, budgets.${account}.month in fanfare.yaml erhöhen`;
      return {
        message: `es hat ${spent} von ${most} im Monat ${month} gekostet: ${left} sind übrig`,
        remedy: resetsOn === undefined ? undefined : `es beginnt am ${resetsOn} neu; ${raise}`,
      };
    }
    case 'webhookLate':
      return {
        message: `${reason.webhook} hat seit ${span(reason.ageMs)} ein Ereignis nicht angenommen`,
        remedy: reason.isGone
          ? 'der Empfänger hat ihn gelöscht (HTTP 410): in fanfare.yaml berichtigen oder entfernen, dann Fanfare neu starten'
          : 'den Empfänger prüfen; das Protokoll hat die Antwort oder den Fehler. Fanfare versucht es bei jedem Ereignis 23 Stunden lang',
      };
    case 'notifies': {
      const { subscriptions, cost, maxCost, lastAtMs, webhookUrl } = reason;
      const last =
        lastAtMs === undefined ? 'noch keine Benachrichtigung' : `letzte Benachrichtigung am ${new Date(lastAtMs).toISOString()}`;
      const costs = cost === undefined || maxCost === undefined ? '' : `, die ${numeral(cost)} von ${numeral(maxCost)} kosten`;
      const setting = webhookUrl === undefined ? '' : `; der Webhook der Anwendung muss ${webhookUrl} sein`;
      return { message: `es meldet Änderungen: ${counted(subscriptions, 'Abonnement', 'Abonnements')}${costs}; ${last}${setting}` };
    }
    case 'notifiesPublicly':
      return {
        message: 'es meldet Änderungen nur an eine öffentliche Adresse, also fragen die Regeln zu ihren Zeiten ab',
        remedy: 'für kürzere Verzögerungen FANFARE_PUBLIC_URL auf eine Adresse setzen, die das Internet erreicht',
      };
    case 'notifiesNot':
      return {
        message: `es meldet keine Änderungen, also fragen die Regeln zu ihren Zeiten ab („${reason.problem}“)`,
        ...(!isNotOffered(reason.fault) && { remedy: remedyAfter(reason.fault, reason.account) }),
      };
    case 'onlyPolled':
      return {
        message: `${reason.count === 1 ? '1 Name wird' : `${numeral(reason.count)} Namen werden`} nur abgefragt („${reason.problem}“)`,
        remedy: reason.isLimited ? OTHER_APPLICATION : reason.fault ? remedyAfter(reason.fault, reason.account) : NAMES,
      };
    case 'ruleErrors':
      return {
        message: reason.count === 1 ? 'die Regeldateien haben 1 Fehler' : `die Regeldateien haben ${numeral(reason.count)} Fehler`,
        remedy: 'sie ausgeben: npx fanfare check',
      };
    case 'listErrors':
      return {
        message: reason.count === 1 ? 'die Listendateien haben 1 Fehler' : `die Listendateien haben ${numeral(reason.count)} Fehler`,
        remedy: 'sie ausgeben: npx fanfare check',
      };
    case 'rulesReady': {
      const { on, off, named } = reason;
      const ready = on === 1 ? '1 ist bereit' : `${numeral(on)} sind bereit`;
      if (on + off === 0) return { message: 'keine', remedy: 'eine schreiben: npx fanfare new' };
      if (off === 0) return { message: ready };
      return named.length === 0
        ? { message: `${ready}, ${numeral(off)} sind aus`, remedy: 'sehen, welche Regeln aus sind: npx fanfare check' }
        : {
            message: `${ready}, aus: ${named.join('; ')}`,
            remedy: 'um eine ausgeschaltete Regel laufen zu lassen, in dieser Zeile enabled: true schreiben',
          };
    }
    case 'nonePublished':
      return { message: 'keine', remedy: 'den Ordner der Regeln veröffentlichen: npx fanfare rules push' };
    case 'published':
      return { message: `Version ${reason.number}, veröffentlicht am ${new Date(reason.publishedAtMs).toISOString()} von ${reason.by}` };
    case 'failed':
      return { message: fault(reason.fault, reason.message) };
  }
}

/** How to fix a data folder that cannot be written, by error code of the system. */
function folderRemedy(code: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return MAKE_ROOM;
  if (code === 'EROFS') return 'das Laufwerk beschreibbar machen, oder den Ordner auf ein anderes verschieben und FANFARE_DATA setzen';
  return 'dem Benutzer von Fanfare erlauben, in den Ordner zu schreiben';
}

/** How to fix a fault of notifications that lasts. Without a fault, the connection itself was lost. */
function remedyAfter(fault: Fault | undefined, account: string): string {
  switch (fault) {
    case 'quotaExhausted':
      return OTHER_APPLICATION;
    case 'unauthorized':
      return `die Zugangsdaten des Kontos prüfen oder noch einmal anmelden: npx fanfare auth ${account}`;
    case 'rateLimited':
      return 'warten: Fanfare versucht es wieder, wenn die Plattform Anfragen annimmt';
    case 'unavailable':
      return 'warten: Fanfare versucht es wieder; die Statusseite der Plattform meldet die Störung vielleicht';
    case 'rejected':
    case 'duplicate':
    case 'malformed':
    case 'forbidden':
    case 'missing':
      return 'Fanfare versucht es wieder; wenn das so bleibt, prüfen, ob ein Proxy statt der Plattform antwortet, und Fanfare aktualisieren';
    case 'unreachable':
    case 'unanswered':
    case undefined:
      return 'Fanfare verbindet sich neu; wenn das so bleibt, prüfen, ob eine Firewall die Verbindung sperrt';
  }
}
