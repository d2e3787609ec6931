/** “Preview” over the skill's name, and over each of its samples. The command is the client's. */
import type { CodeLens } from 'vscode-languageserver-types';
import type { SkillDocument } from '../skill/document.ts';
import type { Span } from '../text.ts';
import type { Locate } from './locate.ts';

/** The command gets `{uri, sample?}`. What has no name yet has no lens: there is nothing to hang it on. */
export function codeLenses(document: SkillDocument, command: string, locate: Locate): CodeLens[] {
  const { uri, contract } = document;
  const lens = (span: Span, title: string, target: { readonly sample?: string }): CodeLens => ({
    range: locate.range(document, span),
    command: { title, command, arguments: [{ uri, ...target }] },
  });
  const samples = contract.samples.map(({ name, span }) => lens(span, 'Preview this sample', { sample: name }));
  return contract.name ? [lens(contract.name.span, 'Preview', {}), ...samples] : samples;
}
