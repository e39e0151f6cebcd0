import { type Program, Visitor } from 'oxc-parser';

/** A part of a file, by its offsets. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A name with the part of the file that computes its value. */
interface Definition extends Span {
  readonly name: string;
}

/** The expressions that a constant with SQL has. */
const TEXTS = new Set(['Literal', 'TemplateLiteral', 'TaggedTemplateExpression', 'BinaryExpression', 'ConditionalExpression']);
/** The functions whose first argument is SQL, in the drivers, in Kysely and in the store. */
const RUNS_SQL = new Set(['exec', 'prepare', 'query', 'raw', 'run', 'statement']);

/**
 * Finds the SQL of a file: templates with the tag `sql`, first arguments of the functions that run SQL, and the constants and functions of the
 * file that these arguments name. The words of a text do not decide, because prose can begin with "create" or "with".
 */
export function findSql(program: Program): (offset: number) => boolean {
  const definitions: Definition[] = [];
  const uses: Definition[] = [];
  const found: Span[] = [];
  new Visitor({
    TaggedTemplateExpression({ tag, start, end }) {
      if (tag.type === 'Identifier' && tag.name === 'sql') found.push({ start, end });
    },
    CallExpression({ callee, arguments: [first] }) {
      const called = callee.type === 'MemberExpression' ? callee.property : callee;
      if (first && called.type === 'Identifier' && RUNS_SQL.has(called.name)) found.push({ start: first.start, end: first.end });
    },
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init && TEXTS.has(init.type)) definitions.push({ name: id.name, start: init.start, end: init.end });
    },
    AssignmentExpression({ left, right }) {
      if (left.type === 'Identifier' && TEXTS.has(right.type)) definitions.push({ name: left.name, start: right.start, end: right.end });
    },
    FunctionDeclaration({ id, body }) {
      if (id && body) definitions.push({ name: id.name, start: body.start, end: body.end });
    },
    Identifier({ name, start, end }) {
      uses.push({ name, start, end });
    },
  }).visit(program);

  const names = new Set<string>();
  // The list grows while the loop runs: SQL can name further constants.
  for (const span of found)
    for (const { name } of uses.filter(({ start }) => isIn(start, span))) {
      if (names.has(name)) continue;
      names.add(name);
      found.push(...definitions.filter((definition) => definition.name === name));
    }
  return (offset) => found.some((span) => isIn(offset, span));
}

function isIn(offset: number, { start, end }: Span): boolean {
  return start <= offset && offset < end;
}
