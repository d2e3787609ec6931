/** The data of an Example: the fields and values of the contract's schema. */
import type { ExampleData } from '../../skill/artifact-data.ts';
import { dataProposals } from './data.ts';
import type { Cursor, Offer } from './proposal.ts';
import { findYamlCursor } from './yaml-place.ts';

export function offerInExample(from: Cursor, { side, tree, artifact }: ExampleData): Offer | undefined {
  const { contract } = from.file;
  const schema = (side === 'input' ? contract.input : contract.output)?.schema;
  const cursor = schema && findYamlCursor(from, tree);
  if (!schema || !cursor) return undefined;
  const { place } = cursor;
  const isJson = artifact.example?.[side]?.format === 'json';
  return { span: place.span, before: place.before, proposals: dataProposals(cursor, schema, place.path, isJson) };
}
