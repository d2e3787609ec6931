/** Reads the frontmatter and the body of a skill file. */

import { ParsedSchema } from '../languages/schema/parse-schema.ts';
import { parseSchema, type Schema } from '../languages/schema/schema.ts';
import { type Frontmatter, parseFrontmatter } from '../languages/yaml/frontmatter.ts';
import { parseJson } from '../languages/yaml/json.ts';
import type { YamlNode, YamlTree } from '../languages/yaml/node.ts';
import { parseYaml } from '../languages/yaml/parse.ts';
import { type Span, span } from '../text.ts';
import { artifactKeys } from '../vocabulary/artifact-keys.ts';
import { checkShape, type ShapeProblem } from '../vocabulary/check-shape.ts';
import { closingLinesOf, type Dialect, isJsonDialect, isSkillDialect } from '../vocabulary/dialect.ts';
import { tableOf } from '../vocabulary/tables.ts';
import { type Previous, readExamples, readMetadata, Templates } from './artifact-data.ts';
import { type Artifact, type Body, parseBody } from './body.ts';
import { type Condition, readConditions } from './conditions.ts';
import { readContract, type SkillContract } from './contract.ts';
import { readSuppressions, type Suppression } from './suppressions.ts';

/** Returns whether files of a dialect have a frontmatter and a body; other files are only YAML or JSON. */
export const hasBodyOf = (dialect: Dialect): boolean =>
  dialect === 'composer' || dialect === 'agent-skill' || dialect === 'client-file';

/** The parsed frontmatter, with its contract and the problems in its shape. */
export interface Head {
  readonly frontmatter: Frontmatter;
  readonly contract: SkillContract;
  readonly problems: readonly ShapeProblem[];
}

/** The parsed body, with the text that its spans refer to. */
export interface BodyParts extends Previous {
  readonly body: Body | undefined;
  readonly templates: Templates;
  readonly conditions: readonly Condition[];
  /** The problems in the shape of the artifacts' metadata. */
  readonly problems: readonly ShapeProblem[];
  readonly suppressions: readonly Suppression[];
}

/**
 * Reads the frontmatter of the file `text` (docs/format.md, section 2). Reuses schemas from `before` that an edit did
 * not change. Never throws.
 */
export function readHead(
  dialect: Dialect,
  text: string,
  before?: { readonly text: string; readonly head: Head },
): Head {
  const frontmatter = hasBodyOf(dialect) ? parseFrontmatter(text, closingLinesOf(dialect)) : wholeFile(dialect, text);
  const { tree } = frontmatter;
  const contract = readContract(
    isSkillDialect(dialect) ? tree.root : undefined,
    dialect,
    before && schemaReader(text, tree, before),
  );
  let problems: readonly ShapeProblem[] | undefined;
  return {
    frontmatter,
    contract,
    get problems() {
      problems ??= checkShape(tree.root, tableOf(dialect));
      return problems;
    },
  };
}

/**
 * Reads the body of the file `text`, whose frontmatter is parsed (docs/format.md, section 5). Reuses parts from
 * `before` that an edit did not change. Never throws.
 */
export function readBody(
  dialect: Dialect,
  text: string,
  { frontmatter, contract }: Head,
  before?: BodyParts,
): BodyParts {
  const { root } = frontmatter.tree;
  const isFree = dialect !== 'composer';
  const body = hasBodyOf(dialect) ? parseBody(text, frontmatter.bodyStart, before?.body, isFree) : undefined;
  const artifacts = body?.artifacts ?? [];
  const metadata = artifacts.flatMap((artifact) => readMetadata(text, artifact, before));
  return {
    text,
    body,
    metadata,
    examples: artifacts.flatMap((artifact) => readExamples(text, artifact, before)),
    templates: new Templates(text, artifacts, before?.templates),
    conditions: dialect === 'composer' || dialect === 'contract' ? readConditions(root, contract, metadata) : [],
    problems: metadata.flatMap(({ artifact, tree }) => checkMetadata(artifact, tree)),
    suppressions: readSuppressions(text, [frontmatter.tree, ...metadata.map(({ tree }) => tree)], body),
  };
}

/** Checks the metadata of an artifact. Problems without a rule belong to `invalid-artifact-metadata`. */
function checkMetadata({ kind }: Artifact, { root, broken }: YamlTree): readonly ShapeProblem[] {
  if (broken || !root) return [];
  return checkShape(root, artifactKeys[kind]).map((problem) => ({
    ...problem,
    rule: problem.rule ?? 'invalid-artifact-metadata',
  }));
}

/** Parses a YAML or JSON file as frontmatter without fences and without a body. */
function wholeFile(dialect: Dialect, text: string): Frontmatter {
  const content = span(text.startsWith('\uFEFF') ? 1 : 0, text.length);
  const tree = isJsonDialect(dialect) ? parseJson(text, content) : parseYaml(text, content);
  return { open: undefined, close: undefined, content, bodyStart: text.length, tree };
}

// Reuses schemas whose text an edit did not change, even if the edit moved the schemas.

/** Returns a function that reads a schema, or reuses it from the file before the edit. */
function schemaReader(
  text: string,
  tree: YamlTree,
  before: {
    readonly text: string;
    readonly head: { readonly frontmatter: Frontmatter; readonly contract: SkillContract };
  },
): (node: YamlNode, side: 'input' | 'output') => Schema {
  return (node, side) => {
    const { contract, frontmatter } = before.head;
    const known = contract[side]?.schema;
    const isKnown =
      known instanceof ParsedSchema &&
      !tree.broken &&
      !frontmatter.tree.broken &&
      withLine(text, node.span) === withLine(before.text, known.span);
    return isKnown && !refersOutside(text, node.span)
      ? known.movedBy(node.span.start - known.span.start)
      : parseSchema(node);
  };
}

/**
 * Returns the text from the beginning of the line where a node starts to the next text after the node. The result
 * contains the indentation of the first key, and the empty lines with which a block scalar may end.
 */
function withLine(text: string, { start, end }: Span): string {
  const line = Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1)) + 1;
  let next = end;
  while (next < text.length && /\s/.test(text[next] as string)) next++;
  return text.slice(line, next);
}

/** Returns whether a node may contain an alias, which refers to another node of the file. */
const refersOutside = (text: string, { start, end }: Span): boolean => text.slice(start, end).includes('*');
