/** Tells the walkthrough that what a step is about was really done: its `completionEvents` name these context keys. */
import * as vscode from 'vscode';
import { SECTION } from '../../../server/src/protocol.ts';

type Step = 'newSkill' | 'mistakes' | 'preview' | 'catalog';

export const stepDone = (step: Step): void =>
  void vscode.commands.executeCommand('setContext', `${SECTION}.done.${step}`, true);
