/** One skill as data: identity, contract, framing and artifacts (docs/mcp.md, "get_skill"). */
import type { Analysis } from '../analysis/analysis.ts';
import { type Json, jsonOf } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { composersOf } from '../workspace/parts-and-composers.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import { artifactText, variantOf } from './artifacts.ts';
import { type Capabilities, capabilitiesOf } from './capabilities.ts';
import { type SkillInShort, skillInShort } from './list-skills.ts';
import { type FramingView, framingOf } from './set-framing.ts';

export interface SkillView extends SkillInShort {
  /** The whole frontmatter. */
  readonly metadata: Json;
  readonly input_schema: Json;
  readonly output_schema: Json;
  readonly framing: FramingView | null;
  readonly artifacts: readonly ArtifactView[];
  readonly capabilities: Capabilities;
  readonly composes: readonly string[];
  readonly composed_by: readonly { readonly name: string; readonly version: string | null; readonly uri: string }[];
}

interface ArtifactView {
  readonly kind: string;
  readonly name: string;
  readonly model_variant: string | null;
  readonly metadata: Json;
  /** Only where it was asked for. */
  readonly content?: string;
}

/** `kinds` are the kinds of the artifacts whose content is given. */
export function skillView(analysis: Analysis, skill: IndexedSkill, kinds: ReadonlySet<string>): SkillView | undefined {
  const short = skillInShort(analysis, skill);
  const file = analysis.file(skill.uri);
  if (!short || !file) return undefined;
  const { input, output } = file.contract;
  return {
    ...short,
    metadata: jsonOf(file.frontmatter.tree.root),
    input_schema: (input?.schema.json ?? null) as Json,
    output_schema: (output?.schema.json ?? null) as Json,
    framing: framingOf(file) ?? null,
    artifacts: artifactsOf(file, kinds),
    capabilities: capabilitiesOf(analysis, skill.uri),
    composes: skill.summary.composes.map((part) => part.skill),
    composed_by: usersOf(analysis, skill),
  };
}

/** Who composes a skill. */
export const usersOf = (analysis: Analysis, skill: IndexedSkill): SkillView['composed_by'] =>
  composersOf(analysis.graph, skill).map(({ uri, summary }) => ({
    ...{ name: summary.name ?? '', version: summary.version ?? null, uri },
  }));

const artifactsOf = (file: SkillFile, kinds: ReadonlySet<string>): readonly ArtifactView[] =>
  (file.body?.artifacts ?? []).map((artifact) => {
    const { kind, name } = artifact;
    const metadata = file.metadata.find((one) => one.artifact === artifact)?.tree.root;
    return {
      ...{ kind, name, model_variant: variantOf(file, artifact) ?? null, metadata: jsonOf(metadata) },
      ...(kinds.has(kind) ? { content: artifactText(file, artifact) } : {}),
    };
  });
