import type { ReadinessReason } from '../../queries/readiness-reason.ts';
import { counted, fault, numeral } from './reasons/values.ts';

const WAITS = 'Fanfare wartet darauf, und nichts geht verloren';

/** By the event of PostgreSQL that a write waits for, by its error, or by the error of SQLite, whose file is in the data folder. */
const CAUSES: Readonly<Record<string, string>> = {
  SyncRep: 'sie wartet auf einen synchronen Standby',
  '25006':
    'sie ist schreibgeschützt. DATABASE_URL muss den primären Server nennen, oder wer PostgreSQL verwaltet, muss das Schreiben erlauben',
  '28000': 'sie lehnt den Benutzer ab',
  '28P01': 'sie lehnt den Benutzer oder das Passwort ab',
  '3D000': 'sie ist nicht vorhanden',
  '42P01': 'ihre Tabellen fehlen: Das Schema wurde umbenannt, verschoben oder gelöscht',
  '42501': 'dem Benutzer fehlt ein Recht',
  '53100': 'ihr Speicherplatz ist voll. Wer PostgreSQL verwaltet, muss Platz schaffen',
  '53200': 'ihr Arbeitsspeicher ist voll. Wer PostgreSQL verwaltet, muss ihr mehr geben',
  pool: 'sie gibt Fanfare keine weiteren Verbindungen. Wer PostgreSQL verwaltet, muss max_connections oder das Verbindungslimit des Benutzers oder der Datenbank erhöhen',
  '58030': 'ihr Laufwerk meldet Fehler. Wer PostgreSQL verwaltet, muss es reparieren',
  SQLITE_BUSY: 'ein anderes Programm sperrt ihre Datei. Wer den Rechner verwaltet, muss es oder seine Transaktion beenden',
  SQLITE_FULL: 'das Laufwerk des Datenordners ist voll. Wer den Rechner verwaltet, muss Platz schaffen',
  SQLITE_READONLY:
    'der Datenordner ist schreibgeschützt. Wer den Rechner verwaltet, muss ihn für den Benutzer von Fanfare beschreibbar machen',
  SQLITE_CANTOPEN:
    'ihre Datei lässt sich nicht öffnen. Wer den Rechner verwaltet, muss den Datenordner für den Benutzer von Fanfare beschreibbar machen',
  SQLITE_IOERR: 'das Laufwerk des Datenordners meldet Fehler. Wer den Rechner verwaltet, muss es reparieren oder beschreibbar machen',
};

/** Why Fanfare is not ready, or a remark while it is ready. */
export function readiness(reason: ReadinessReason): string {
  switch (reason.kind) {
    case 'databaseLost': {
      const code = reason.code === undefined ? '' : ` (${reason.code})`;
      return `die Datenbank antwortet seit ${timeOf(reason.lostAtMs)} nicht${code}. ${WAITS}`;
    }
    case 'databaseBlocked': {
      const { blockedAtMs, code = 'der Grund ist unbekannt' } = reason;
      return `die Datenbank nimmt seit ${timeOf(blockedAtMs)} nichts an: ${CAUSES[code] ?? `sie wartet (${code})`}. ${WAITS}`;
    }
    case 'discordConnecting':
      return 'Discord ist noch nicht verbunden';
    case 'discordProblem':
      return `ein Problem mit Discord („${reason.problem}“)`;
    case 'discordLost':
      return 'die Verbindung zu Discord ist seit mehr als zwei Minuten unterbrochen: Der Grund steht im Protokoll';
    case 'discordRestoring':
      return 'die Verbindung zu Discord wird wiederhergestellt';
    case 'accountRefused':
      return fault(reason.fault, reason.problem);
    case 'noRuleLoaded': {
      const files = reason.files === 1 ? 'die Regeldatei Fehler hat' : `alle ${numeral(reason.files)} Regeldateien Fehler haben`;
      return `keine Regel konnte geladen werden, weil ${files}: „npx fanfare check“ zeigt sie`;
    }
    case 'rulesNotRun': {
      const { rules, count } = reason;
      const names = rules.length === 0 ? counted(count, 'Regel', 'Regeln') : rules.join(', ');
      return `${names} ${count === 1 ? 'konnte' : 'konnten'} nicht ausgeführt werden: Der Grund steht im Protokoll`;
    }
  }
}

function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
