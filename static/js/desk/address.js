// Where the forms and links of an item lead.

const AN_ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

// Lets a form or a link lead to this assignment.
export function address(element, assignment) {
  const name = element.hasAttribute("action") ? "action" : "href";
  element.setAttribute(name, element.getAttribute(name).replace(AN_ID, assignment));
}
