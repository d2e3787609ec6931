/** What an invocation of a skill can be made from: its samples, the inputs of its examples, profiles and models. */
import type { Analysis } from '../../analysis/analysis.ts';
import { invocationContextOf, packageOf } from '../../analysis/package-of.ts';
import { isUsable } from '../../languages/schema/schema.ts';
import { type Json, jsonOf } from '../../languages/yaml/node.ts';
import type { Invocation, NamedInvocation, SamplesReply } from '../../protocol.ts';
import type { Locate } from '../locate.ts';

/** Undefined where the file is no skill. */
export function samplesOf(analysis: Analysis, uri: string, locate: Locate): SamplesReply | undefined {
  const file = analysis.file(uri);
  const skillPackage = packageOf(analysis, uri);
  if (!file || !skillPackage) return undefined;
  const { inputSchema, samples, name, modelPreference, artifacts } = skillPackage;
  const examples = file.examples.flatMap(({ artifact, side, tree }): NamedInvocation[] => {
    if (side !== 'input' || tree.broken || tree.root?.kind !== 'map') return [];
    const invocation: Invocation = { parameters: jsonOf(tree.root) as Readonly<Record<string, Json>> };
    return [{ name: artifact.name, range: locate.range(file, tree.root.span), invocation }];
  });
  const models = [
    ...(analysis.settledCatalogOf(uri).models?.keys() ?? []),
    ...modelPreference,
    ...artifacts.flatMap(({ modelVariant }) => modelVariant ?? []),
  ];
  return {
    uri,
    name: name?.name ?? '',
    samples: samples.map((sample) => ({
      name: sample.name,
      range: locate.range(file, sample.span),
      invocation: sample.invocation,
    })),
    examples,
    schema: inputSchema && isUsable(inputSchema) ? inputSchema.json : undefined,
    profiles: invocationContextOf(analysis, uri).profiles.map((profile) => profile.name),
    models: [...new Set(models)],
  };
}
