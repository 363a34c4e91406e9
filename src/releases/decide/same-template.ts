import { equalJson, type JsonObject } from '#base/json.ts';
import { sparseTemplate } from '#kube/workload/sparse-template.ts';

/** Whether two templates make the same pods, whoever wrote them. */
export const isSameTemplate = (left: JsonObject, right: JsonObject): boolean =>
  equalJson(left, right) || equalJson(sparseTemplate(left), sparseTemplate(right));
