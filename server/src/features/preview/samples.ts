/** What an invocation of a skill can be made from: its samples, the inputs of its examples, the words that fit. */

import { isUsable } from '../../languages/schema/schema.ts';
import { type Json, jsonOf } from '../../languages/yaml/node.ts';
import type { Invocation, NamedInvocation, SamplesReply } from '../../protocol.ts';
import { packageOf, surroundingsOf } from '../../workspace/package-of.ts';
import type { WorkspaceIndex } from '../../workspace/workspace-index.ts';
import type { Locate } from '../locate.ts';

/** Undefined where the file is no skill. */
export function samplesOf(index: WorkspaceIndex, uri: string, locate: Locate): SamplesReply | undefined {
  const document = index.documents.get(uri);
  const skillPackage = packageOf(index, uri);
  if (!document || !skillPackage) return undefined;
  const { inputSchema, samples, name, modelPreference, artifacts } = skillPackage;
  const examples = document.examples.flatMap(({ artifact, side, tree }): NamedInvocation[] => {
    if (side !== 'input' || tree.broken || tree.root?.kind !== 'map') return [];
    const invocation: Invocation = { parameters: jsonOf(tree.root) as Readonly<Record<string, Json>> };
    return [{ name: artifact.name, range: locate.range(document, tree.root.span), invocation }];
  });
  const models = [modelPreference, ...artifacts.map(({ modelVariant }) => modelVariant)];
  return {
    uri,
    name: name?.name ?? '',
    samples: samples.map((sample) => ({
      name: sample.name,
      range: locate.range(document, sample.span),
      invocation: sample.invocation,
    })),
    examples,
    schema: inputSchema && isUsable(inputSchema) ? inputSchema.json : undefined,
    profiles: surroundingsOf(index, uri).profiles.map((profile) => profile.name),
    models: [...new Set(models.filter((model) => model !== undefined))],
  };
}
