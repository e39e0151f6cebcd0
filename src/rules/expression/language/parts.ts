import { evaluationOf, type Node } from './tree.ts';

/** Which part of an expression its next evaluation evaluates: the whole tree, or a node in it. */
interface Evaluation {
  part: Node;
}

/** Lets the evaluation of a checked tree evaluate a part of it, which the library has no function for. */
export function evaluatePartsOf(tree: Node): Evaluation {
  const evaluation: Evaluation = { part: tree };
  const evaluate = evaluationOf(tree);
  tree.evaluate = (evaluator, _tree, context) => {
    const { part } = evaluation;
    return part === tree ? evaluate(evaluator, tree, context) : part.evaluate(evaluator, part, context);
  };
  return evaluation;
}
