/** The artifacts of a legacy package, in the order that their ordinals give. */
import { findValue, type Json, jsonOf, numberOf, stringOf, type YamlNode } from '../languages/yaml/node.ts';
import { asJson, isObject, type JsonObject } from '../languages/yaml/same-json.ts';
import type { ArtifactKind } from '../vocabulary/artifact-kinds.ts';
import type { Lost } from './lost.ts';

export interface PackageArtifact {
  readonly kind: ArtifactKind | 'code_template' | 'dspy_module';
  readonly name: string;
  readonly content: string;
  readonly variant: string | undefined;
  readonly metadata: JsonObject;
  /** The template that does the work of a module where that cannot run. */
  readonly fallback: string | undefined;
  readonly ordinal: number;
  /** Its place in the list. */
  readonly at: number;
  readonly node: YamlNode;
}

/** By the words of a package. */
export const PACKAGE_KINDS: ReadonlyMap<string | undefined, PackageArtifact['kind']> = new Map<
  string,
  PackageArtifact['kind']
>([
  ['description', 'Description'],
  ['approach', 'Approach'],
  ['prompt_template', 'PromptTemplate'],
  ['example', 'Example'],
  ['code_template', 'code_template'],
  ['dspy_module', 'dspy_module'],
]);

const isRetired = ({ kind }: PackageArtifact): boolean => kind === 'code_template' || kind === 'dspy_module';

export function readPackageArtifacts(nodes: readonly YamlNode[]) {
  const unknown: Lost[] = [];
  const all = nodes.flatMap((node, at): PackageArtifact[] => {
    const word = stringOf(findValue(node, 'kind'));
    const kind = PACKAGE_KINDS.get(word);
    const content = stringOf(findValue(node, 'content'));
    const name = stringOf(findValue(node, 'name')) ?? word ?? '';
    if (kind === undefined || content === undefined) {
      const why = kind === undefined ? 'Its kind is none of a package.' : 'It has no `content`.';
      unknown.push({ what: `artifact \`${name}\``, span: node.span, why });
      return [];
    }
    const metadata: Json = asJson(jsonOf(findValue(node, 'metadata')));
    const values = isObject(metadata) ? metadata : {};
    const fallback = typeof values.fallback_artifact === 'string' ? values.fallback_artifact : undefined;
    const variant = stringOf(findValue(node, 'model_variant'));
    const ordinal = numberOf(findValue(node, 'ordinal')) ?? at;
    return [{ kind, name, content, variant, metadata: values, fallback, ordinal, at, node }];
  });
  const sorted = all.sort((a, b) => a.ordinal - b.ordinal || a.at - b.at);
  return { kept: sorted.filter((one) => !isRetired(one)), retired: sorted.filter(isRetired), unknown };
}
