/** What a document is made of: its frontmatter, what that declares, and what stands in its body. Reading judges nothing. */

import { type Frontmatter, parseFrontmatter, parseYaml } from '../languages/yaml/frontmatter.ts';
import type { YamlTree } from '../languages/yaml/node.ts';
import { createRecent } from '../recent.ts';
import { span } from '../text.ts';
import { artifactKeys } from '../vocabulary/artifact-keys.ts';
import { checkShape } from '../vocabulary/check-shape.ts';
import type { Dialect } from '../vocabulary/dialect.ts';
import type { ShapeProblem } from '../vocabulary/shape-problem.ts';
import { tableOf } from '../vocabulary/tables.ts';
import { type ArtifactMetadata, readExamples, readMetadata, templateReader } from './artifact-data.ts';
import { type Artifact, parseBody } from './body.ts';
import { readConditions } from './conditions.ts';
import { readContract, type SchemaReader, type SkillContract } from './contract.ts';
import type { SkillDocument } from './skill-document.ts';
import { readSuppressions } from './suppressions.ts';

export const hasBodyOf = (dialect: Dialect): boolean => dialect === 'composer' || dialect === 'agent-skill';

export const readFrontmatter = (dialect: Dialect, text: string): Frontmatter =>
  hasBodyOf(dialect) ? parseFrontmatter(text) : wholeFile(text);

/** What is read of a document before its body is looked at. */
export function readParts(dialect: Dialect, text: string): Parts {
  const frontmatter = readFrontmatter(dialect, text);
  return { frontmatter, contract: contractOf(dialect, frontmatter) };
}

export const contractOf = (dialect: Dialect, { tree }: Frontmatter, readSchema?: SchemaReader): SkillContract =>
  readContract(dialect === 'catalog' ? undefined : tree.root, readSchema);

export type Core = Pick<SkillDocument, 'uri' | 'dialect' | 'isSkill' | 'hasSamples' | 'text' | 'summary'>;
export type Parts = Pick<SkillDocument, 'frontmatter' | 'contract'>;
export type Head = Core & Parts;
export type Rest = Omit<SkillDocument, keyof Head | 'lines'>;

/** What is read of a document whose body is looked at. */
export function readRest({ dialect, text, frontmatter, contract }: Head, previous?: SkillDocument): Rest {
  const { root } = frontmatter.tree;
  const isFree = dialect === 'agent-skill';
  const body = hasBodyOf(dialect) ? parseBody(text, frontmatter.bodyStart, previous?.body, isFree) : undefined;
  const artifacts = body?.artifacts ?? [];
  const metadata = artifacts.flatMap((artifact) => readMetadata(text, artifact, previous));
  return {
    body,
    metadata,
    examples: artifacts.flatMap((artifact) => readExamples(text, artifact, previous)),
    templates: artifacts.flatMap(templateReader(text, previous?.templates)),
    conditions: dialect === 'composer' || dialect === 'contract' ? readConditions(root, contract, metadata) : [],
    problems: problemsOf(dialect, frontmatter, metadata, previous !== undefined),
    suppressions: readSuppressions(text, [frontmatter.tree, ...metadata.map(({ tree }) => tree)], body),
  };
}

/** What is wrong with the shapes of frontmatters that are edited: an edit of the body leaves it as it is. */
const shapes = createRecent<Frontmatter, readonly ShapeProblem[]>(2);

function problemsOf(
  dialect: Dialect,
  frontmatter: Frontmatter,
  metadata: readonly ArtifactMetadata[],
  isEdited: boolean,
): readonly ShapeProblem[] {
  const ofFrontmatter = shapes.get(frontmatter) ?? checkShape(frontmatter.tree.root, tableOf(dialect));
  if (isEdited) shapes.set(frontmatter, ofFrontmatter);
  const ofMetadata = metadata.flatMap(({ artifact, tree }) => checkMetadata(artifact, tree));
  return ofMetadata.length === 0 ? ofFrontmatter : [...ofFrontmatter, ...ofMetadata];
}

/** An artifact's metadata under the vocabulary of its kind; what is wrong in it is a matter of the artifact. */
function checkMetadata({ kind }: Artifact, { root, broken }: YamlTree): readonly ShapeProblem[] {
  if (broken || !root) return [];
  return checkShape(root, artifactKeys[kind]).map((problem) => ({
    ...problem,
    rule: problem.rule ?? 'invalid-artifact-metadata',
  }));
}

/** A YAML file as if it were all frontmatter: no fences, no body. */
function wholeFile(text: string): Frontmatter {
  const content = span(text.startsWith('\uFEFF') ? 1 : 0, text.length);
  const tree = parseYaml(text, content);
  return { open: undefined, close: undefined, content, bodyStart: text.length, tree };
}
