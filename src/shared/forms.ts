/**
 * The field by which a form says which of its page's actions it asks for. Scripts read a form's address by its
 * attribute: in a form with this field, `form.action` is the field.
 */
export const ACTION = "action";
