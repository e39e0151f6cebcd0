import { API, ElementFlags, NodeBuilderFlags, SignatureKind, SymbolFlags, type Checker, type Type } from 'typescript/unstable/sync';
import { isNamedTupleMember, isTupleTypeNode } from 'typescript/unstable/ast/is';
import { join } from 'node:path';

/** One option of a call. */
export interface CallOption {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  /** The TSDoc of the declaration; empty if a schema describes the option. */
  readonly doc: string;
}

/** A positional argument of a call. */
export interface CallArgument {
  readonly name: string;
  readonly optional: boolean;
  readonly type: string;
  /** The options, if the argument is the options object. */
  readonly options?: readonly CallOption[] | undefined;
}

/** One signature of a method. */
export interface CallSignature {
  readonly args: readonly CallArgument[];
  readonly returns: string;
}

/** Reads the signatures of methods of classes, by class and method name. Types in `shown` keep their names. */
export type ReadCalls = (
  root: string,
  classes: Readonly<Record<string, { readonly file: string; readonly shown: ReadonlySet<string> }>>,
) => ReadonlyMap<string, ReadonlyMap<string, readonly CallSignature[]>>;

/** A union with more members is shown by its name. */
const MOST_SHOWN_MEMBERS = 10;
const FORMAT = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.UseSingleQuotesForStringLiteralType;
const RESOLVED = FORMAT | NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope;

/** The signatures from the compiler, which reads only the clients. */
export const callSignatures: ReadCalls = (root, classes) => {
  const api = new API({ cwd: root });
  try {
    using snapshot = api.updateSnapshot({ openProject: join(root, 'docs/generator/tsconfig.clients.json') });
    const [project] = snapshot.getProjects();
    if (!project) throw new Error(`${root} has no TypeScript project`);
    const { checker, program } = project;
    return new Map(
      Object.entries(classes).map(([className, { file, shown }]) => {
        const source = program.getSourceFile(join(root, file));
        const module = source && checker.getSymbolAtLocation(source);
        const symbol = module && checker.getMemberInModuleExports(module, className);
        if (!symbol) throw new Error(`${file} exports no ${className}`);
        return [className, methodsOf(checker.getDeclaredTypeOfSymbol(symbol), { checker, shown })];
      }),
    );
  } finally {
    api.close();
  }
};

interface Reading {
  readonly checker: Checker;
  readonly shown: ReadonlySet<string>;
}

function methodsOf(type: Type, reading: Reading): ReadonlyMap<string, readonly CallSignature[]> {
  const { checker } = reading;
  return new Map(
    checker.getPropertiesOfType(type).map((property) => {
      const method = checker.getTypeOfSymbol(property);
      const signatures = method ? checker.getSignaturesOfType(method, SignatureKind.Call) : [];
      return [
        property.name,
        signatures.map((signature) => {
          const returns = checker.getReturnTypeOfSignature(signature);
          const args = signature.getParameters().flatMap((parameter): readonly CallArgument[] => {
            const of = checker.getTypeOfSymbol(parameter);
            if (!of) return [];
            // Operations take a tuple of named arguments; overloads take single arguments.
            return checker.isTupleType(of) ? tupleArguments(of, reading) : [argument(parameter.name, of, isOptional(of, reading), reading)];
          });
          return { args, returns: returns ? returnText(returns, reading) : 'void' };
        }),
      ] as const;
    }),
  );
}

function tupleArguments(tuple: Type, reading: Reading): readonly CallArgument[] {
  const { checker } = reading;
  const node = checker.typeToTypeNode(tuple);
  if (!node || !isTupleTypeNode(node)) return [];
  const types = tuple.isTypeReference() ? checker.getTypeArguments(tuple) : [];
  const target = tuple.isTypeReference() ? tuple.getTarget() : undefined;
  const flags = target?.isTupleType() ? target.elementFlags : [];
  return types.map((type, index) => {
    const element = node.elements[index];
    // Only the options object is destructured in its declaration and has no name.
    const name = element && isNamedTupleMember(element) ? element.name.text : 'options';
    return argument(name, type, flags[index] === ElementFlags.Optional, reading);
  });
}

function argument(name: string, type: Type, optional: boolean, reading: Reading): CallArgument {
  const { checker } = reading;
  const present = checker.getNonNullableType(type) ?? type;
  const isOptions = checker.getPropertyOfType(present, 'signal') !== undefined;
  const options = isOptions ? checker.getPropertiesOfType(present).map((property) => optionOf(property, reading)) : undefined;
  return { name, optional, type: typeText(type, reading), options };
}

function optionOf(property: ReturnType<Checker['getPropertiesOfType']>[number], reading: Reading): CallOption {
  const type = reading.checker.getTypeOfSymbol(property);
  return {
    name: property.name,
    type: type ? typeText(type, reading) : 'unknown',
    optional: (property.flags & SymbolFlags.Optional) !== 0,
    doc: reading.checker.getDocumentationCommentOfSymbol(property),
  };
}

function isOptional(type: Type, { checker }: Reading): boolean {
  return type.isUnionType() && type.getTypes().some((member) => checker.typeToString(member) === 'undefined');
}

/** A type as a caller would write it. Aliases that are not exported are resolved. */
function typeText(type: Type, reading: Reading): string {
  const { checker, shown } = reading;
  const name = checker.typeToString(type, undefined, RESOLVED).replaceAll(' | undefined', '').replaceAll('; }', ' }');
  if (name === 'boolean' || (shown.has(name) && isLong(type))) return name;
  if (type.isUnionType()) {
    const members = type.getTypes().map((member) => typeText(member, reading));
    const texts = new Set(members.filter((text) => text !== 'undefined'));
    const both = texts.delete('true') && texts.delete('false') ? ['boolean'] : [];
    return [...texts, ...both].join(' | ');
  }
  if (checker.isArrayType(type) && type.isTypeReference()) {
    const [item] = checker.getTypeArguments(type);
    const text = item ? typeText(item, reading) : 'unknown';
    return `${name.startsWith('readonly ') ? 'readonly ' : ''}${text.includes(' ') ? `(${text})` : text}[]`;
  }
  return name;
}

/** Whether the name of a type is clearer than its members. */
function isLong(type: Type): boolean {
  return !type.isUnionType() || type.getTypes().length > MOST_SHOWN_MEMBERS;
}

function returnText(type: Type, { checker }: Reading): string {
  return checker.typeToString(type, undefined, RESOLVED).replace(/^(AsyncGenerator<.*), void, any>$/, '$1>');
}
