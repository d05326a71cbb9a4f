from tests.results.kinds.toys import toy_kind, toy_pool_kind

__all__ = ["toy_kind", "toy_pool_kind"]
